import { sql } from 'kysely';
import type { Db } from '#server/kit/db/db.ts';
import type { Line } from '#bench/ground/report-lines.ts';

/**
 * Whether the ledger balances, payment by payment: charged minus refunded is the sum of its entries. Takes the owner's connection, which sees
 * all offices. The drills that kill, restart or restore our own processes end with it; `mayBeEmpty`: nobody pays in this one.
 */
export async function checkMoneyLedger(owner: Db, { mayBeEmpty = false } = {}): Promise<Line> {
  const { rows } = await sql<{ wrong: number; payments: number; cents: number }>`
    with entries as (
      select office_id, payment_id, sum(amount_cents) filter (where refund_id is null) as charged,
        -sum(amount_cents) filter (where refund_id is not null) as refunded
      from money_entry group by office_id, payment_id
    ),
    refunds as (
      select office_id, payment_id, sum(amount_cents) as refunded from payment_refund where state = 'SUCCEEDED' group by office_id, payment_id
    )
    select
      count(*) filter (where coalesce(e.charged, 0) <> case when p.state = 'SUCCEEDED' or p.refunded_cents > 0 then p.amount_cents else 0 end
        or coalesce(e.refunded, 0) <> p.refunded_cents + p.excess_refunded_cents
        or coalesce(r.refunded, 0) <> p.refunded_cents + p.excess_refunded_cents)::int as wrong,
      count(*)::int as payments,
      coalesce(sum(coalesce(e.charged, 0) - coalesce(e.refunded, 0)), 0)::int as cents
    from payment p
    left join entries e on e.office_id = p.office_id and e.payment_id = p.id
    left join refunds r on r.office_id = p.office_id and r.payment_id = p.id
  `.execute(owner);
  const { wrong, payments, cents } = rows[0] ?? { wrong: 0, payments: 0, cents: 0 };
  return {
    what: 'payments whose charge minus refunds is not the sum of the ledger',
    figure: String(wrong),
    beside: `${payments.toLocaleString('en')} payments, $${(cents / 100).toFixed(2)} kept`,
    aim: mayBeEmpty ? '0' : '0 of some',
    met: wrong === 0 && (mayBeEmpty || payments > 0),
  };
}
