import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copay, transactions } from '#contract/index.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import { settleLocalTransfer } from '#server/providers/charges/local.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { propertySeed } from '#testing/fixtures/property-seed.ts';
import { checkDuePayments } from './jobs.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
  t.services.log.level = 'silent';
  office = await payingOffice(t);
});
afterAll(() => t.close());

const good = '4242424242424242';
const noAnswer = '4000000000000119';
const cards = [good, good, '4000000000000002', '4000000000000077', '4000000000000101', noAnswer];
/** When the process dies: before the provider's act, after it, or while the call is on its way and arrives much later. */
const moment = fc.constantFrom('before' as const, 'after' as const, 'on the way' as const);

/** What people, the bank, the network and dying processes do. */
const step = fc.oneof(
  fc.record({ do: fc.constant('pay' as const), card: fc.constantFrom(...cards) }),
  fc.record({ do: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 2_500 }) }),
  fc.record({ do: fc.constant('void' as const), move: fc.constantFrom('withdraw' as const, 'void' as const) }),
  fc.record({ do: fc.constant('request again' as const) }),
  fc.record({ do: fc.constant('settle' as const), as: fc.constantFrom('SUCCEEDED' as const, 'FAILED' as const) }),
  fc.record({ do: fc.constant('callbacks' as const), seed: fc.integer({ min: 1, max: 97 }) }),
  fc.record({ do: fc.constant('job' as const), minutes: fc.constantFrom(2, 61) }),
  fc.record({ do: fc.constant('die paying' as const), moment, card: fc.constantFrom(good, '4000000000000002') }),
  fc.record({ do: fc.constant('die refunding' as const), moment, amount: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ do: fc.constant('die recording' as const), moment }),
  fc.record({ do: fc.constant('answer the to-do list' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test('whatever is pressed, called back and killed, in any order and twice, ends in the provider’s state, charged and recorded once', async () => {
  const seed = propertySeed();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const visit = await requestOn(t, office, { copay: 2_000, claims: 500 });
      for (const next of steps) {
        await t.owner.deleteFrom('rateLimit').execute();
        await run(visit, next);
      }
      for (const arrive of onTheWay.splice(0)) await arrive().catch(() => undefined);
      for (let i = 0; i < 7; i++) {
        t.later(15);
        await checkDuePayments(t.services);
      }
      await callBack(visit, 31);
      await checkDuePayments(t.services);
      const payments = await booksOf(visit);
      for (const { ours, theirs } of payments) expect(ours).toEqual(theirs);
      const sum = payments.reduce((total, { kept }) => total + kept, 0);
      expect(await ledgerOf(visit)).toBe(sum);
      for (const { states, times } of await recordingsOf(visit)) {
        for (const state of states) expect(state).toMatch(/^(recorded|refused|dropped|unknown)$/);
        const recorded = states.filter((state) => state === 'recorded').length;
        const unknown = states.filter((state) => state === 'unknown').length;
        if (unknown === 0) expect([states, times]).toEqual([states, recorded]);
        else expect(times).toBeLessThanOrEqual(recorded + unknown);
      }
    }),
    { numRuns: 12, seed },
  );
}, 30_000);

async function run(visit: PayingVisit, next: Step): Promise<void> {
  const { charges, practiceSoftware } = t.services.providers;
  const chargeId = await newestOf(visit);
  switch (next.do) {
    case 'pay': {
      const card = await makeCard(t, next.card);
      await Promise.all([pay(visit, chargeId, card), pay(visit, chargeId, card)]);
      return;
    }
    case 'refund': {
      const id = t.services.id();
      await Promise.all([refund(chargeId, next.amount, id), refund(chargeId, next.amount, id)]);
      return;
    }
    case 'void':
      return void (await Promise.all([giveUp(chargeId, next.move), giveUp(chargeId, next.move)]));
    case 'request again': {
      const body = { visitId: visit.id, copay: 1_000 };
      return void (await t.call(copay.requestPayment, { body }, { as: office }));
    }
    case 'settle':
      return settleLocalTransfer(t.services, `${office.id}.${chargeId}`, next.as);
    case 'callbacks':
      return callBack(visit, next.seed);
    case 'job':
      t.later(next.minutes);
      return void (await Promise.all([checkDuePayments(t.services), checkDuePayments(t.services)]));
    case 'answer the to-do list':
      return answerToDoList(visit);
    case 'die paying': {
      const card = await makeCard(t, next.card);
      const replace = (call: typeof charges.charge) => void (charges.charge = call);
      return dieAt(next.moment, charges.charge, replace, () => pay(visit, chargeId, card));
    }
    case 'die refunding': {
      const id = t.services.id();
      const replace = (call: typeof charges.reverse) => void (charges.reverse = call);
      return dieAt(next.moment, charges.reverse, replace, () => refund(chargeId, next.amount, id));
    }
    default: {
      const replace = (call: typeof practiceSoftware.record) => void (practiceSoftware.record = call);
      return dieAt(next.moment, practiceSoftware.record, replace, () => checkDuePayments(t.services));
    }
  }
}

/** Payments that a person has said something about. */
const answered = new Set<string>();

/** A person looks up everything that nobody knows, hours later, and says what there is. */
async function answerToDoList(visit: PayingVisit): Promise<void> {
  for (const arrive of onTheWay.splice(0)) await arrive().catch(() => undefined);
  for (let i = 0; i < 7; i++) {
    t.later(15);
    await checkDuePayments(t.services);
  }
  const { questions } = (await t.call(transactions.listOpenQuestions, {}, { as: office })).body;
  for (const { kind, id, chargeId, visitId, part, amount } of questions) {
    if (visitId !== visit.id) continue;
    const happened = kind === 'recording' ? await isRecordedThere(chargeId, part, amount) : await isMadeThere(id);
    const body = { kind, id, happened };
    const answers = await Promise.all([1, 2].map(() => t.call(transactions.resolveQuestion, { body }, { as: office })));
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    answered.add(chargeId);
  }
}

async function isMadeThere(id: string): Promise<boolean> {
  const made = await t.owner
    .selectFrom('charges.transfer')
    .select('state')
    .where('reference', '=', `${office.id}.${id}`)
    .executeTakeFirst();
  return made?.state === 'SUCCEEDED';
}

/** Whether the practice software has more such entries than we know of. */
async function isRecordedThere(chargeId: string, part: string | null, amount: number): Promise<boolean> {
  const there = await t.owner
    .selectFrom('practiceSoftware.payment')
    .select(['claimId', 'amountCents'])
    .where('note', 'like', `%${chargeId}`)
    .execute();
  const known = await t.inOffice(office, (tx) =>
    tx
      .selectFrom('paymentRecording')
      .select(['part', 'amountCents'])
      .where('paymentId', '=', chargeId)
      .where('state', '=', 'recorded')
      .execute(),
  );
  const such = there.filter(
    ({ claimId, amountCents }) => (claimId !== null) === (part === 'claims') && amountCents === amount,
  );
  return such.length > known.filter((row) => row.part === part && row.amountCents === amount).length;
}

/** Calls whose processes have died, and that the provider gets later. */
const onTheWay: (() => Promise<unknown>)[] = [];

/** The process that does this work ends at the provider's next call: its work stops there for ever. */
async function dieAt<Input, Result>(
  moment: 'before' | 'after' | 'on the way',
  call: (input: Input) => Promise<Result>,
  replace: (call: (input: Input) => Promise<Result>) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const died = new Promise<void>((resolve) =>
    replace(async (input) => {
      if (moment === 'after') await call(input).catch(() => undefined);
      if (moment === 'on the way') onTheWay.push(() => call(input));
      resolve();
      return new Promise<never>(() => undefined);
    }),
  );
  await Promise.race([work(), died]);
  replace(call);
}

const pay = ({ token }: PayingVisit, paymentId: string, card: string) =>
  t.call(copay.payCopay, { params: { token }, body: { paymentId, card } }, { as: null });
const refund = (chargeId: string, amount: number, id: string) =>
  t.call(copay.refundPayment, { params: { chargeId }, body: { id, amount, reason: 'Paid too much' } }, { as: office });
const giveUp = (chargeId: string, move: 'withdraw' | 'void') =>
  t.call(copay.voidPayment, { params: { chargeId }, body: { move, reason: 'Wrong patient' } }, { as: office });

const paymentsOf = ({ id }: PayingVisit) =>
  t.inOffice(office, (tx) =>
    tx.selectFrom('payment').selectAll().where('visitId', '=', id).orderBy('createdAt').orderBy('id').execute(),
  );
const newestOf = async (visit: PayingVisit) => (await paymentsOf(visit)).at(-1)?.id ?? '';
const refundsOf = (paymentId: string) =>
  t.inOffice(office, (tx) => tx.selectFrom('paymentRefund').selectAll().where('paymentId', '=', paymentId).execute());

/** Every callback about the visit so far, twice and in an order of its own. */
async function callBack(visit: PayingVisit, seed: number): Promise<void> {
  const post = async (url: string, headers: Record<string, string>, payload: string) =>
    (await t.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  const payments = await paymentsOf(visit);
  const refunds = (await Promise.all(payments.map(({ id }) => refundsOf(id)))).flat();
  const events = [...payments, ...refunds].flatMap(({ id }) =>
    ['transfer.created', 'transfer.updated'].map((type) => ({ id, type, reference: `${office.id}.${id}` })),
  );
  const shuffled = [...events, ...events]
    .map((event, i) => ({ event, at: ((i + 1) * seed) % 101 }))
    .sort((a, b) => a.at - b.at);
  const statuses = await Promise.all(shuffled.map(({ event }) => sendChargeEvent(t.services, post, event)));
  expect(statuses.every((status) => status === 200)).toBe(true);
}

/** Each payment of a visit as we have it and as the provider has it, and what the practice keeps of it. */
async function booksOf(visit: PayingVisit) {
  const books = [];
  for (const { id, state, amountCents, refundedCents } of await paymentsOf(visit)) {
    const transfer = await t.owner
      .selectFrom('charges.transfer')
      .selectAll()
      .where('reference', '=', `${office.id}.${id}`)
      .executeTakeFirst();
    const reversed = transfer ? await reversedOf(transfer.id) : 0;
    const isCharged = state === 'SUCCEEDED' || refundedCents > 0;
    const isTold = transfer && (transfer.behavior !== 'no-answer' || answered.has(id));
    books.push({
      ours: { state, charged: isCharged ? amountCents : 0, refunded: refundedCents },
      theirs: {
        state: isTold
          ? stateAt(transfer.state, { state, reversed, amountCents })
          : transfer
            ? 'UNKNOWN'
            : notThere(state),
        charged: isTold && transfer.state === 'SUCCEEDED' ? transfer.amountCents : 0,
        refunded: reversed,
      },
      kept: isCharged ? amountCents - refundedCents : 0,
    });
  }
  return books;
}

async function reversedOf(transferId: string): Promise<number> {
  const rows = await t.owner
    .selectFrom('charges.transfer')
    .select('amountCents')
    .where('reverses', '=', transferId)
    .execute();
  return rows.reduce((total, { amountCents }) => total + amountCents, 0);
}

/** A payment that was given back as a whole is canceled if it was a void, and paid if it was a refund. A failed one can be withdrawn. */
function stateAt(
  theirs: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED',
  ours: { state: string; reversed: number; amountCents: number },
): string {
  const isOver = theirs === 'FAILED' || (theirs === 'SUCCEEDED' && ours.reversed === ours.amountCents);
  if (ours.state === 'CANCELLED' && isOver) return 'CANCELLED';
  return theirs === 'CANCELED' ? 'CANCELLED' : theirs;
}

/** The provider never heard of it: requested, withdrawn, or never sent. */
const notThere = (state: string) => (['REQUESTED', 'CANCELLED', 'FAILED'].includes(state) ? state : 'nothing');

async function ledgerOf(visit: PayingVisit): Promise<number> {
  const ids = (await paymentsOf(visit)).map(({ id }) => id);
  const rows = await t.inOffice(office, (tx) =>
    tx.selectFrom('moneyEntry').select('amountCents').where('paymentId', 'in', ids).execute(),
  );
  return rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** The copay and the claims of each payment: the states of what is to be recorded, and how many entries the practice software has. */
async function recordingsOf(visit: PayingVisit) {
  const parts = [];
  for (const { id } of await paymentsOf(visit)) {
    const there = await t.owner
      .selectFrom('practiceSoftware.payment')
      .select('claimId')
      .where('note', 'like', `%${id}`)
      .execute();
    const ours = await t.inOffice(office, (tx) =>
      tx.selectFrom('paymentRecording').select(['part', 'state']).where('paymentId', '=', id).execute(),
    );
    for (const part of ['copay', 'claims'] as const)
      parts.push({
        states: ours.filter((row) => row.part === part).map(({ state }) => state),
        times: there.filter(({ claimId }) => (claimId !== null) === (part === 'claims')).length,
      });
  }
  return parts;
}
