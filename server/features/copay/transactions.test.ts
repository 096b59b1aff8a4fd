import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copay, session, transactions } from '#contract/index.ts';
import { longestCsv, type TransactionFilter } from '#contract/transactions.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn } from '#testing/fixtures/payments.ts';
import { checkDuePayments } from './jobs.ts';
import { csvOf } from './transactions-csv.ts';

let t: TestApp;
let office: TestOffice;
let other: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
  office = await payingOffice(t);
  other = await payingOffice(t, { name: 'CANARY office' });
  await addPayments(office, 25);
});
afterAll(() => t.close());

/** Payments a minute apart, the newest one last: every third failed, the others charged. */
async function addPayments(of: TestOffice, count: number): Promise<void> {
  const visit = await t.visit({ office: of });
  await t.inOffice(of, (tx) =>
    tx
      .insertInto('payment')
      .values(
        Array.from({ length: count }, (_, i) => ({
          officeId: of.id,
          id: t.services.id(),
          visitId: visit.id,
          patientName: i === 3 ? '=HYPERLINK("http://evil.test"), "Eve"' : i === 4 ? '100% Sure_Name' : `Patient ${i}`,
          copayCents: 1_000 + i,
          amountCents: 1_000 + i,
          state: i % 3 === 2 ? ('FAILED' as const) : ('SUCCEEDED' as const),
          provider: 'local',
          merchant: 'x',
          createdAt: new Date(t.now().getTime() - (count - i) * 60_000),
          cardBrand: 'Visa',
          cardLast4: '4242',
        })),
      )
      .execute(),
  );
}
const page = async (query: object = {}, as = office) =>
  (await t.call(transactions.listTransactions, { query }, { as })).body;
const search = (body: TransactionFilter, as = office) => t.call(transactions.searchTransactions, { body }, { as });
const amounts = (of: { amount: number }[]) => of.map(({ amount }) => amount - 1_000);

test('pages of ten lead from the newest to the oldest and back', async () => {
  const first = await page();
  expect(amounts(first.transactions)).toEqual([24, 23, 22, 21, 20, 19, 18, 17, 16, 15]);
  expect(first.previous).toBeNull();
  const second = await page({ after: first.next });
  expect(amounts(second.transactions)[0]).toBe(14);
  const third = await page({ after: second.next });
  expect(amounts(third.transactions)).toEqual([4, 3, 2, 1, 0]);
  expect(third.next).toBeNull();
  expect(amounts((await page({ before: third.previous })).transactions)).toEqual(amounts(second.transactions));
  expect((await page({ before: second.previous })).previous).toBeNull();
  const last = await page({ last: 'true' });
  expect([amounts(last.transactions).at(-1), last.next]).toEqual([0, null]);
});

test('status, days and name filter the list, its totals and the file', async () => {
  const canceled = (await search({ status: 'canceled' })).body.transactions;
  expect(canceled.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'FAILED'));
  expect(amounts((await search({ patientName: 'patient 7' })).body.transactions)).toEqual([7]);
  expect(amounts((await search({ patientName: '100% sure_' })).body.transactions)).toEqual([4]);
  expect((await search({ patientName: '%' })).body.transactions).toHaveLength(1);
  expect((await search({ from: '2026-03-01', to: '2026-03-01' })).body.transactions).toEqual([]);
  expect((await search({ from: '2026-03-02', to: '2026-03-02' })).body.transactions).toHaveLength(10);
  const totals = (body: TransactionFilter) => t.call(transactions.totalTransactions, { body }, { as: office });
  expect((await totals({})).body).toMatchObject({ count: 25, refunded: 0 });
  expect((await totals({ status: 'canceled' })).body).toMatchObject({ count: 8, charged: 0 });
  const file = await t.call(transactions.downloadTransactions, { body: { status: 'canceled' } }, { as: office });
  const lines = String(file.body).trim().split('\r\n').slice(1);
  expect(lines.filter((line) => line.includes(',FAILED,'))).toHaveLength(8);
  expect(lines).toHaveLength(8);
});

test.each([
  { from: '2026-03-02' },
  { to: '2026-03-02' },
  { from: '2026-03-02', to: '2026-03-03' },
  { from: '2026-03-02', to: '2026-03-01' },
])('the days %j are refused', async (days) => {
  expect((await search(days)).status).toBe(400);
});

test('no cell of the CSV starts a formula', async () => {
  const { body, headers } = await t.call(transactions.downloadTransactions, { body: {} }, { as: office });
  expect(headers['content-type']).toContain('text/csv');
  const lines = String(body).trim().split('\r\n');
  expect(lines).toHaveLength(26);
  expect(String(body)).toContain(`"'=HYPERLINK(""http://evil.test""), ""Eve"""`);
  for (const line of lines) for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+\-@]/);
});

test.each([
  ['Mia;=1+1', 'Mia =1+1'],
  ['Mia\t=1+1', 'Mia =1+1'],
  ['Mia\r\n=1+1', 'Mia =1+1'],
])(
  'a name %j cannot start a cell of its own where a list is separated in another way',
  async (patientName, written) => {
    const [one] = (await page()).transactions;
    expect(await csvOf(one ? [{ ...one, patientName }] : [], 'America/New_York', 'en')).toContain(`,${written},`);
  },
);

test('more payments than a file holds are refused, not cut off', async () => {
  const many = await payingOffice(t);
  const visit = await t.visit({ office: many });
  await sql`
    insert into payment (office_id, id, visit_id, patient_name, copay_cents, amount_cents, state, provider, merchant, created_at)
    select ${many.id}, gen_random_uuid(), ${visit.id}, 'Ana', 100, 100, 'SUCCEEDED', 'local', 'x', ${t.now()}
    from generate_series(1, ${longestCsv}::int + 1)
  `.execute(t.owner);
  const { status, body } = await t.call(transactions.downloadTransactions, { body: {} }, { as: many });
  expect([status, (body as { code?: string }).code]).toEqual([409, 'csv_too_long']);
});

test('another office sees none of it, and one without a payment identity no transactions at all', async () => {
  expect((await page({}, other)).transactions).toEqual([]);
  expect((await page({ after: `${t.now().getTime()}_${office.id}` }, other)).transactions).toEqual([]);
  const plain = await t.call(transactions.listTransactions, { query: {} });
  expect([plain.status, plain.body.code]).toEqual([409, 'no_payments']);
  const shows = async (as: TestOffice) => (await t.call(session.readSession, {}, { as })).body.office?.hasTransactions;
  expect([await shows(office), await shows(t.maple)]).toEqual([true, false]);
});

test('a practice that the provider rejects later keeps its books, and may apply again', async () => {
  const before = await payingOffice(t);
  const visit = await requestOn(t, before);
  const setIdentity = (finixIdentity: string | null) =>
    t.owner.updateTable('office').set({ finixIdentity }).where('id', '=', before.id).execute();
  await setIdentity(null);
  expect((await page({}, before)).transactions.map(({ chargeId }) => chargeId)).toEqual([visit.chargeId]);
  expect((await t.call(transactions.listOpenQuestions, {}, { as: before })).status).toBe(200);
  const { office: seen } = (await t.call(session.readSession, {}, { as: before })).body;
  expect(seen).toMatchObject({ paymentIdentity: false, hasTransactions: true });
});

test('the end-of-day report adds up what moved on the day', async () => {
  const visit = await requestOn(t, other, { copay: 3_000, claims: 500 });
  const body = { paymentId: visit.chargeId, card: await makeCard(t, '5555555555554444') };
  await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  await checkDuePayments(t.services);
  const params = { chargeId: visit.chargeId };
  const refund = { id: t.services.id(), amount: 1_000, reason: 'Too much' };
  await t.call(copay.refundPayment, { params, body: refund }, { as: other });
  const report = await t.call(transactions.readDayReport, { query: {} }, { as: other });
  expect(report.body).toEqual({
    day: '2026-03-02',
    charged: 3_500,
    refunded: 1_000,
    net: 2_500,
    payments: 1,
    refunds: 1,
    recorded: 3_500,
    missing: 0,
    waiting: 0,
    // Recorded less this is what the day leaves.
    refundedAfterRecording: 1_000,
    unknownCount: 0,
    unknown: 0,
    methods: [{ method: 'Mastercard', count: 1, charged: 3_500, refunded: 1_000, recorded: 3_500, missing: 0 }],
  });
  expect((await t.call(transactions.readDayReport, { query: { day: '2026-03-03' } }, { as: other })).status).toBe(400);
});

test('the end-of-day report tells of charges whose outcome nobody knows, and what each card brand’s charges lack', async () => {
  const practice = await payingOffice(t);
  const payWith = async (number: string) => {
    const visit = await requestOn(t, practice);
    const body = { paymentId: visit.chargeId, card: await makeCard(t, number) };
    await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
    return visit;
  };
  await setBehavior(t.services.db, practice.npi, 'refuse');
  await payWith('5555555555554444');
  await checkDuePayments(t.services);
  await setBehavior(t.services.db, practice.npi, null);
  await payWith('4242424242424242');
  await checkDuePayments(t.services);
  const { chargeId: id } = await payWith('4000000000000119');
  await t.inOffice(practice, (tx) =>
    tx.updateTable('payment').set({ state: 'UNKNOWN' }).where('id', '=', id).execute(),
  );
  const { body } = await t.call(transactions.readDayReport, { query: {} }, { as: practice });
  expect(body).toMatchObject({ charged: 4_000, recorded: 2_000, missing: 2_000, unknownCount: 1, unknown: 2_000 });
  expect(body.methods).toMatchObject([
    { method: 'Mastercard', charged: 2_000, recorded: 0, missing: 2_000 },
    { method: 'Visa', charged: 2_000, recorded: 2_000, missing: 0 },
  ]);
});
