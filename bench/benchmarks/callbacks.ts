import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { approveAtOnce } from '#db/seed/copays.ts';
import { createSeededRandom } from '#db/seed/seeded-random.ts';
import { localPrices } from '#server/providers/card/local-prices.ts';
import { sendCardEvent } from '#server/providers/card/local-callbacks.ts';
import { localCard } from '#server/providers/card/local.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import { checkMoneyLedger } from '#bench/drills/money-ledger.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';

const officeCount = 20;
const ofEachKind = 500;
const repeatedShare = 0.1;
const connections = 16;

type Work = () => Promise<unknown>;

/**
 * 1,000 callbacks of the card and the payment provider, one in ten repeated, in random order, until each has settled what it is about;
 * compared with the same writes, straight into the same database in as many transactions.
 */
export async function callbacks(): Promise<Line[]> {
  const seed = Number(process.env.BENCH_SEED ?? Date.now() % 2 ** 31);
  const ground = await openBenchDatabase();
  try {
    const offices = await addOffices(ground, officeCount, 1);
    await Promise.all(offices.map(({ id }) => approveAtOnce(ground.services, id)));
    const customers = await Promise.all(offices.map((office) => subscribe(ground, office)));
    const raw = await rawWork(ground, offices, customers);
    const rawRate = await rateOf(raw.work, seed);
    await raw.close();
    const { url } = await ground.server();
    const events = await ourWork(ground, offices, customers, url);
    const ourRate = await rateOf(events, seed);
    const open = await countOpen(ground);
    const ledger = await checkMoneyLedger(ground.owner);
    const value = ourRate / rawRate;
    return [
      {
        what: `${(2 * ofEachKind).toLocaleString('en')} callbacks in random order, settled`,
        figure: `${perSecond(ourRate)} = ${ratio(value)}`,
        beside: `the same writes in the database alone ${perSecond(rawRate)}; repeat this order with BENCH_SEED=${seed}`,
        aim: '≥ 0.15x',
        met: value >= 0.15,
      },
      {
        what: 'payments still open, or not in the ledger once',
        figure: `${open} and ${ledger.figure}`,
        beside: ledger.beside,
        aim: '0 and 0',
        met: open === 0 && ledger.met === true,
      },
    ];
  } finally {
    await ground.close();
  }
}

/** Makes the office a customer with a plan, and returns its id at the card provider. */
async function subscribe({ services, owner }: BenchDatabase, { id: officeId }: BenchOffice): Promise<string> {
  const card = localCard(services);
  const customerId = await card.createCustomer({ operationId: services.id(), officeId, name: 'Bench' });
  const plan = { priceId: localPrices.prime, quantity: 2 };
  await card.start({ operationId: services.id(), customerId, trialDays: 14, ...plan });
  await owner.updateTable('office').set({ stripeCustomerId: customerId }).where('id', '=', officeId).execute();
  await sql`update card.event set report_at = null`.execute(owner);
  return customerId;
}

/** How many of these are done in a second, each repeated one counted once, in the order of this seed. */
async function rateOf(work: Work[], seed: number): Promise<number> {
  const chance = createSeededRandom(seed);
  const repeated = work.filter((_, i) => i % Math.round(1 / repeatedShare) === 0);
  const queue = [...work, ...repeated]
    .map((run) => ({ run, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ run }) => run);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let run = queue.pop(); run; run = queue.pop()) await run();
    }),
  );
  return work.length / ((performance.now() - began) / 1_000);
}

/** Callbacks to our server about charges that the bank has just settled, and about customers. */
async function ourWork(
  ground: BenchDatabase,
  offices: BenchOffice[],
  customers: string[],
  url: string,
): Promise<Work[]> {
  const { services } = ground;
  const post = async (path: string, headers: Record<string, string>, body: string) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return answer.status;
  };
  const payments = await addPayments(ground, offices, 6_000_000);
  return payments.flatMap((reference, i) => {
    const card = { id: services.id(), type: 'invoice.paid', customerId: customers[i % officeCount] ?? '' };
    const charge = { id: services.id(), type: 'transfer.updated', reference };
    return [() => sendCardEvent(services, post, card), () => sendChargeEvent(services, post, charge)];
  });
}

/** Payments that wait for their bank, each on a visit of its own, and the transfers that it has settled. Returns our references. */
async function addPayments(
  { owner, services }: BenchDatabase,
  offices: BenchOffice[],
  phoneFrom: number,
): Promise<string[]> {
  const each = ofEachKind / officeCount;
  const references: string[] = [];
  for (const { id: officeId } of offices) {
    const ids = Array.from({ length: each }, () => services.id());
    references.push(...ids.map((id) => `${officeId}.${id}`));
    await sql`
      with people as (
        insert into patient (office_id, id, user_code, phone, first_name, last_name, created_at)
        select ${officeId}::uuid, id, substr(md5(id::text), 1, 16), '+1312' || (${phoneFrom}::int + n), 'Ava', 'Nr ' || n, now()
        from unnest(${ids}::uuid[]) with ordinality given(id, n) returning id, phone, last_name
      ), visits as (
        insert into visit (office_id, id, patient_id, day, status, phone, first_name, last_name, created_at, arrived_at, status_at)
        select ${officeId}::uuid, id, id, (now() at time zone 'UTC')::date, 'WAITING', phone, 'Ava', last_name, now(), now(), now() from people
        returning id
      ), transfers as (
        insert into charges.transfer (id, reference, merchant, kind, amount_cents, state, brand, last4, behavior, created_at, updated_at)
        select id, ${officeId} || '.' || id, 'MU', 'charge', 2500, 'SUCCEEDED', 'Visa', '4242', 'ok', now(), now() from visits
      )
      insert into payment (office_id, id, visit_id, patient_name, copay_cents, amount_cents, state, provider, merchant, created_at, claimed_at)
      select ${officeId}::uuid, id, id, 'Ava', 2500, 2500, 'PENDING', 'local', 'MU', now(), now() from visits`.execute(
      owner,
    );
  }
  return references;
}

const statements = {
  customer: 'select * from card.customer where id = $1 for update',
  subscription: 'select * from card.subscription where customer_id = $1 order by created_at desc limit 1',
  turn: 'insert into membership_plan (office_id, id, turn) values ($1, gen_random_uuid(), 1) on conflict (office_id) do update set turn = membership_plan.turn + 1',
  plan: 'update membership_plan set subscription = $2, saved_turn = turn, seen_at = now() where office_id = $1',
  event:
    "insert into membership_event (office_id, id, key, type, at) values ($1, gen_random_uuid(), $2, 'invoice.paid', now()) on conflict do nothing",
  transfer: 'select * from charges.transfer where reference = $1',
  lock: 'select * from payment where office_id = $1 and id = $2 for update',
  payment:
    "update payment set state = 'SUCCEEDED', settled_at = now(), transfer_id = $3 where office_id = $1 and id = $2",
  entry:
    'insert into money_entry (office_id, id, payment_id, amount_cents, at, day) values ($1, gen_random_uuid(), $2, 2500, now(), current_date) on conflict do nothing',
  audit:
    "insert into audit_entry (office_id, at, actor, action, subject, request_id) values ($1, now(), 'house', 'payment.settle', $2, $3)",
  bump: 'insert into queue_version (office_id, id, version) values ($1, current_date, 1) on conflict (office_id, id) do update set version = queue_version.version + 1',
  hint: "select pg_notify('bench', $1)",
};
type Step = [name: keyof typeof statements, ...values: unknown[]];

/** The statements of the same callbacks, prepared, without HTTP, signatures, row-level security and the checks between them. */
async function rawWork(ground: BenchDatabase, offices: BenchOffice[], customers: string[]) {
  const pool = new pg.Pool({ connectionString: ground.url, max: connections });
  const references = await addPayments(ground, offices, 6_100_000);
  const transaction = async (...steps: Step[]) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      for (const [name, ...values] of steps) await client.query({ name, text: statements[name], values });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const subscription = JSON.stringify({ id: 'sub', status: 'active' });
  const work = references.flatMap((reference, i): Work[] => {
    const [officeId, id] = reference.split('.');
    const office = offices[i % officeCount]?.id;
    const customer = customers[i % officeCount];
    const key = randomUUID();
    return [
      async () => {
        await transaction(['customer', customer], ['subscription', customer]);
        await transaction(['turn', office]);
        await transaction(['customer', customer], ['subscription', customer]);
        await transaction(['plan', office, subscription], ['hint', office]);
        await transaction(['event', office, key]);
      },
      async () => {
        await transaction(['transfer', reference]);
        await transaction(
          ['lock', officeId, id],
          ['payment', officeId, id, id],
          ['audit', officeId, id, key],
          ['bump', officeId],
          ['hint', officeId],
          ['entry', officeId, id],
        );
      },
    ];
  });
  return { work, close: () => pool.end() };
}

async function countOpen({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from payment where state <> 'SUCCEEDED'`.execute(
    owner,
  );
  return rows[0]?.n ?? 0;
}
