import { sql } from 'kysely';
import { failedLater, neverCharged } from '#contract/copay.ts';
import type { Db } from '#server/kit/db/db.ts';

/** Our books compared with those of the providers. Takes the owner's connection, which sees all offices. */

export interface Differences {
  count: number;
  /** The first few, for the report. */
  examples: string[];
}

async function differences(rows: Promise<{ rows: { what: string }[] }>): Promise<Differences> {
  const found = (await rows).rows.map(({ what }) => what);
  return { count: found.length, examples: found.slice(0, 3) };
}

/** Offices whose plan, state or card is another at the card provider. */
export function compareMemberships(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    with theirs as (
      select c.reference as office, c.id as customer, c.payment_method_id, s.*
      from card.customer c
      left join lateral (
        select * from card.subscription s where s.customer_id = c.id order by s.created_at desc, s.id desc limit 1
      ) s on true
    ),
    shown as (
      select office, jsonb_build_object(
        'customer', customer, 'card', payment_method_id, 'id', id, 'status', status, 'price', price_id, 'quantity', quantity,
        'ends', coalesce(cancel_at_period_end, false), 'next', next_price_id, 'nextQuantity', next_quantity
      ) as plan from theirs
    ),
    ours as (
      select o.id::text as office, jsonb_build_object(
        'customer', o.stripe_customer_id, 'card', m.subscription -> 'default_payment_method', 'id', m.subscription -> 'id',
        'status', m.subscription -> 'status', 'price', m.subscription #> '{plan,price}', 'quantity', m.subscription #> '{plan,quantity}',
        'ends', m.subscription -> 'cancel_at_period_end', 'next', m.subscription #> '{next_plan,price}',
        'nextQuantity', m.subscription #> '{next_plan,quantity}'
      ) as plan
      from office o join membership_plan m on m.office_id = o.id
    )
    select coalesce(t.plan::text, 'nothing') || ' is here ' || coalesce(o.plan::text, 'nothing') as what
    from shown t full join ours o using (office)
    where jsonb_strip_nulls(t.plan) is distinct from jsonb_strip_nulls(o.plan)`.execute(owner),
  );
}

/** Changes of plans that the card provider made and we did not count as done, and the other way round left running. */
export function compareOperations(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    select coalesce(p.kind, 'an unknown operation') || ' is ' || coalesce(p.state, 'not') || ' here' as what
    from card.operation c full join provider_operation p on p.id = c.id
    where p.state = 'running' or (c.id is not null and p.state is distinct from 'done')`.execute(owner),
  );
}

/** Transfers, and payments or refunds, whose state or amount differs, whatever people have answered about them on the way. */
export function compareTransfers(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    with ours as (
      select office_id || '.' || id as reference, 'charge' as kind, amount_cents, transfer_id,
        case when state = 'CANCELLED' and refunded_cents > 0 and not exists (
          select from payment_refund v where v.office_id = p.office_id and v.payment_id = p.id and v.reason in (${neverCharged}, ${failedLater})
            and v.state = 'SUCCEEDED'
        ) then 'SUCCEEDED' else state end as state
      from payment p
      union all
      -- One that was made in the provider's dashboard has the name that the provider gave it.
      select coalesce((select t.reference from charges.transfer t where t.id::text = r.transfer_id), office_id || '.' || id), 'reversal',
        amount_cents, transfer_id, state
      from payment_refund r where reason not in (${neverCharged}, ${failedLater})
    ),
    theirs as (
      select split_part(reference, '#', 1) as reference, kind, amount_cents, id::text as transfer_id,
        case state when 'CANCELED' then 'CANCELLED' else state end as state, behavior
      from charges.transfer
    )
    select coalesce(t.kind, o.kind) || ' ' || coalesce(t.behavior, '') || ' ' || coalesce(t.state, 'nowhere') || ' ' || coalesce(t.amount_cents, 0)
      || ' is here ' || coalesce(o.state, 'nowhere') || ' ' || coalesce(o.amount_cents, 0) as what
    from theirs t full join ours o on o.reference = t.reference and o.kind = t.kind
    where case
      when t.reference is null then o.state not in ('REQUESTED', 'CANCELLED', 'FAILED')
      -- The desk canceled what had failed.
      when t.state = 'FAILED' and o.state = 'CANCELLED' then false
      else o.state is distinct from t.state or o.amount_cents <> t.amount_cents or (t.state = 'SUCCEEDED' and o.transfer_id is distinct from t.transfer_id)
    end`.execute(owner),
  );
}

/** Of one operation of ours, or of one period or step up of a plan, more than one charge. */
export function countChargedTwice(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    select split_part(reference, '#', 1) as what from charges.transfer where state = 'SUCCEEDED' group by 1 having count(*) > 1
    union all
    select customer_id || ' ' || (line -> 'text')::text from card.invoice i cross join jsonb_array_elements(i.lines) line
    where i.status <> 'void' and line #>> '{text,kind}' <> 'credit'
    group by 1 having count(*) > 1
    union all
    select reference from card.customer group by 1 having count(*) > 1`.execute(owner),
  );
}

/** Charges at the provider, with the request that each belongs to and what was not given back of it. */
const providerCharges = sql`
  select p.visit_id, coalesce(p.first_try_id, p.id) as request, t.amount_cents,
    t.amount_cents - coalesce((
      select sum(r.amount_cents) from charges.transfer r where r.reverses = t.id and r.state = 'SUCCEEDED'
    ), 0)::int as kept
  from charges.transfer t join payment p on split_part(t.reference, '#', 1) = p.office_id || '.' || p.id
  where t.kind = 'charge' and t.state = 'SUCCEEDED'`;

/** What the practice keeps of each visit's patient, by the provider's own books. */
export async function keptByVisit(owner: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ visit: string; cents: number }>`
    select visit_id as visit, sum(kept)::int as cents from (${providerCharges}) c group by 1`.execute(owner);
  return new Map(rows.map(({ visit, cents }) => [visit, cents]));
}

/** Requests of which the provider keeps more than one payment, and of which we say something else: nobody would be asked. */
export function compareChargedTwice(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    with requests as (
      select request, coalesce(sum(kept) - max(amount_cents), 0) as twice from (${providerCharges}) c where kept > 0 group by 1
    )
    select f.id || ' was charged ' || greatest(coalesce(q.twice, 0), 0) || ' twice, here ' || f.charged_twice_cents as what
    from payment f left join requests q on q.request = f.id
    where f.charged_twice_cents <> greatest(coalesce(q.twice, 0), 0)`.execute(owner),
  );
}

/** How many requests were ever charged more than once, and how many of them still are: those are on the to-do list. */
export async function countPaidTwice(owner: Db): Promise<{ ever: number; open: number }> {
  const { rows } = await sql<{ ever: number; open: number }>`
    select
      (select count(*)::int from (select from (${providerCharges}) c group by request having count(*) > 1) twice) as ever,
      (select count(*)::int from payment where charged_twice_cents > charged_twice_settled_cents) as open`.execute(
    owner,
  );
  return rows[0] ?? { ever: 0, open: 0 };
}

/** Copays and claims that the practice software has another number of times than we say; unknown ones are for a person. */
export function compareRecordings(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    with theirs as (
      select right(note, 36)::uuid as payment_id, case when claim_id is null then 'copay' else 'claims' end as part,
        count(*)::int as times, sum(amount_cents)::int as cents
      from practice_software.payment group by 1, 2
    ),
    -- A part can have several entries: what was left out is another one.
    ours as (
      select payment_id, part, count(*) filter (where state = 'recorded')::int as recorded,
        count(*) filter (where state = 'unknown')::int as unknown,
        count(*) filter (where state in ('due', 'sending'))::int as undecided,
        coalesce(sum(amount_cents) filter (where state = 'recorded'), 0)::int as cents
      from payment_recording group by 1, 2
    )
    select coalesce(o.part, t.part) || ' ' || coalesce(o.recorded, 0) || ' times here, recorded there ' || coalesce(t.times, 0) || ' times' as what
    from ours o full join theirs t on t.payment_id = o.payment_id and t.part = o.part
    where o.payment_id is null or o.undecided > 0
      or coalesce(t.times, 0) not between o.recorded and o.recorded + o.unknown
      or (o.unknown = 0 and coalesce(t.cents, 0) <> o.cents)`.execute(owner),
  );
}

export interface MoneyCounts {
  charged: number;
  refunded: number;
  failed: number;
  unknown: number;
  recorded: number;
  unknownRecordings: number;
  plans: number;
  resumed: number;
}

/** What happened in all offices. */
export async function countMoney(owner: Db): Promise<MoneyCounts> {
  const { rows } = await sql<MoneyCounts>`
    select
      (select count(*)::int from money_entry where refund_id is null) as charged,
      (select count(*)::int from money_entry where refund_id is not null) as refunded,
      (select count(*)::int from payment where state = 'FAILED') as failed,
      (select count(*)::int from payment where state = 'UNKNOWN') + (select count(*)::int from payment_refund where state = 'UNKNOWN') as unknown,
      (select count(*)::int from payment_recording where state = 'recorded') as recorded,
      (select count(*)::int from payment_recording where state = 'unknown') as "unknownRecordings",
      (select count(*)::int from provider_operation where state = 'done') as plans,
      (select count(*)::int from provider_operation where tries > 1) as resumed
  `.execute(owner);
  return rows[0] as MoneyCounts;
}

/** What is not decided yet. */
export async function countUndecided(owner: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from payment where state = 'PENDING') + (select count(*) from payment_refund where state = 'PENDING')
      + (select count(*) from payment_recording where state in ('due', 'sending'))
      + (select count(*) from provider_operation where state = 'running')
      + (select count(*) from card.event where report_at is not null) + (select count(*) from charges.event where report_at is not null) as n
  `.execute(owner);
  return Number(rows[0]?.n ?? 0);
}

/** What people still have to find out. */
export function countAsked(owner: Db): Promise<Differences> {
  return differences(
    sql<{ what: string }>`
    select 'a payment' as what from payment where state = 'UNKNOWN'
    union all select 'more refunded than paid' from payment where excess_refunded_cents > excess_settled_cents
    union all select 'a request that was paid twice' from payment where charged_twice_cents > charged_twice_settled_cents
    union all select 'news of the provider' from payment_notice where settled_at is null
    union all select 'a refund' from payment_refund where state = 'UNKNOWN' or contradiction in ('open', 'paid-twice')
    union all select 'an entry in the practice software' from payment_recording where state in ('unknown', 'refused')`.execute(
      owner,
    ),
  );
}
