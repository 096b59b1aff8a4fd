import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copay, transactions } from '#contract/index.ts';
import { OpenQuestion } from '#contract/transactions.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import { bounceCharge, refundAtDashboard, settleLocalTransfer } from '#server/providers/charges/local.ts';
import { ChargesUnavailable } from '#server/providers/charges/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { propertyRuns, propertySeed, propertyTimeout } from '#testing/fixtures/property-seed.ts';
import { checkDuePayments } from './jobs.ts';
import { dieAt } from '#testing/fixtures/dying-process.ts';
import { knownSequences, sequence, type Step } from '#testing/fixtures/payment-steps.ts';
import { visitCharges } from '#testing/fixtures/visit-charges.ts';

let t: TestApp;
let office: TestOffice;
/** The provider answers no question about what it has. */
let isSilent = false;
beforeAll(async () => {
  t = await openTestApp();
  t.services.log.level = 'silent';
  office = await payingOffice(t);
  const { charges } = t.services.providers;
  const { find } = charges;
  charges.find = (reference) => (isSilent ? Promise.reject(new ChargesUnavailable()) : find(reference));
});
afterAll(() => t.close());

const {
  referenceOf,
  sumOf,
  isMadeThere,
  isRecordedThere,
  paymentsOf,
  newestOf,
  refundsOf,
  post,
  callBack,
  transferOf,
  chargedTwice,
  ledgerOf,
  recordingsOf,
} = visitCharges({
  get t() {
    return t;
  },
  get office() {
    return office;
  },
});
const runs = propertyRuns(8);

/** Every kind of question that was asked. */
const asked = new Set<OpenQuestion['kind']>();

/**
 * In the end, once the bank has decided, the provider answers, the job has looked for some hours and every open question is answered truthfully, whatever people have
 * said before: our books of each payment are the provider's. What it charged is charged here, what it refunded is refunded here, or
 * what the practice says it gave back in another way; what it never charged leaves nothing in the ledger. No operation is charged or refunded
 * twice; whoever paid more than was requested is on the to-do list for exactly that, or got it back; nothing is asked any more, and the practice software has what the practice keeps, less what people took out there by hand.
 */
test(
  'whatever is pressed, called back, killed and answered wrongly, in any order and twice, ends in the provider’s state, charged and recorded once',
  async () => {
    const seed = propertySeed();
    await fc.assert(
      fc.asyncProperty(sequence, async ({ steps, ...end }) => {
        const visit = await requestOn(t, office, { copay: 2_000, claims: 500 });
        try {
          for (const next of steps) {
            await t.owner.deleteFrom('rateLimit').execute();
            await run(visit, next);
          }
        } finally {
          isSilent = false;
        }
        await findOutEverything(visit, end);
        const payments = await booksOf(visit);
        for (const { ours, theirs } of payments) expect(ours).toEqual(theirs);
        expect(await ledgerOf(visit)).toBe(payments.reduce((total, { ours }) => total + ours.kept, 0));
        expect(await chargedTwice(visit)).toEqual([]);
        await expectAskedAboutTwice(visit, payments);
        for (const { id, recorded, kept } of await recordingsOf(visit)) expect([id, recorded]).toEqual([id, kept]);
      }),
      {
        numRuns: runs + knownSequences.length,
        seed,
        examples: knownSequences.map((each) => [{ steps: each, hasCallbacks: false, bankSays: 'SUCCEEDED' }]),
      },
    );
    expect([...asked].sort()).toEqual([...OpenQuestion.shape.kind.options].sort());
  },
  propertyTimeout(30_000, runs + knownSequences.length),
);

/** The bank decides, the provider tells what it has, what is on its way arrives, and people find out what is left and say how it is. */
async function findOutEverything(
  visit: PayingVisit,
  { hasCallbacks, bankSays }: { hasCallbacks: boolean; bankSays: 'SUCCEEDED' | 'FAILED' },
): Promise<void> {
  for (const arrive of [...chargesOnTheWay.splice(0), ...recordingsOnTheWay.splice(0)])
    await arrive().catch(() => undefined);
  await hideFrom(visit, false);
  for (const { id } of await paymentsOf(visit)) await settleLocalTransfer(t.services, referenceOf(id), bankSays);
  // Nobody else tells of what happened without us.
  await callBack(visit, 31, { onlyNews: !hasCallbacks });
  for (let round = 0, quiet = 0; round < 8 && quiet < 2; round++) {
    await t.owner.deleteFrom('rateLimit').execute();
    await runJobs(61);
    const asked = await answerAll(visit, { isTrue: true, paysOtherwise: false });
    quiet = asked === 0 ? quiet + 1 : 0;
  }
  expect(await openQuestionsOf(visit)).toEqual([]);
}

async function runJobs(minutes: number): Promise<void> {
  t.later(minutes);
  while (await checkDuePayments(t.services));
}

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
      const { status } = await t.call(copay.requestPayment, { body }, { as: office });
      if (status < 300) requestedCents.set(visit.id, requestedOf(visit) + body.copay);
      return;
    }
    case 'settle':
      return settleLocalTransfer(t.services, `${office.id}.${chargeId}`, next.as);
    case 'callbacks':
      return callBack(visit, next.seed);
    case 'job':
      t.later(next.minutes);
      return void (await Promise.all([checkDuePayments(t.services), checkDuePayments(t.services)]));
    case 'stop answering':
      return void (isSilent = next.isSilent);
    case 'refund at the dashboard':
      return void (await refundAtDashboard(t.services, referenceOf(chargeId), next.amount).catch(() => null));
    case 'bounce':
      return void (await bounceCharge(t.services, referenceOf(chargeId)));
    case 'dispute': {
      const charge = await transferOf(chargeId);
      if (!charge) return;
      const dispute = { id: `D${charge.id}`, amountCents: charge.amountCents, state: next.state };
      const told = { id: t.services.id(), type: 'dispute.updated', reference: '', transferId: charge.id, dispute };
      return void (await Promise.all([1, 2].map(() => sendChargeEvent(t.services, post, told))));
    }
    case 'hide':
      return hideFrom(visit, next.isHidden);
    case 'decide':
      return decide(chargeId, next.what);
    case 'answer the to-do list': {
      // What people look up is sometimes still on its way.
      if (next.isTrue) for (const arrive of chargesOnTheWay.splice(0)) await arrive().catch(() => undefined);
      for (const arrive of recordingsOnTheWay.splice(0)) await arrive().catch(() => undefined);
      for (let i = 0; i < 7; i++) await runJobs(15);
      return void (await answerAll(visit, next));
    }
    case 'die paying': {
      const card = await makeCard(t, next.card);
      const replace = (call: typeof charges.charge) => void (charges.charge = call);
      return dieAt({ ...next, later: chargesOnTheWay }, charges.charge, replace, () => pay(visit, chargeId, card));
    }
    case 'die refunding': {
      const id = t.services.id();
      const replace = (call: typeof charges.reverse) => void (charges.reverse = call);
      return dieAt({ ...next, later: chargesOnTheWay }, charges.reverse, replace, () =>
        refund(chargeId, next.amount, id),
      );
    }
    default: {
      const replace = (call: typeof practiceSoftware.record) => void (practiceSoftware.record = call);
      return dieAt({ ...next, later: recordingsOnTheWay }, practiceSoftware.record, replace, () =>
        checkDuePayments(t.services),
      );
    }
  }
}

/** From now on the provider tells nothing about the visit's money, or what it has. */
async function hideFrom(visit: PayingVisit, isHidden: boolean): Promise<void> {
  const payments = await paymentsOf(visit);
  const refunds = (await Promise.all(payments.map(({ id }) => refundsOf(id)))).flat();
  const references = [...payments, ...refunds].map(({ id }) => referenceOf(id));
  const behavior = isHidden ? 'no-answer' : 'ok';
  await t.owner.updateTable('charges.transfer').set({ behavior }).where('reference', 'in', references).execute();
}

/**
 * The bank decides otherwise than it seemed, about what the provider has not told us the end of: the newest charge fails; the newest reversal
 * fails, or is made after all, or the one before it.
 */
async function decide(chargeId: string, what: 'charge' | 'reversal' | 'reversal before'): Promise<void> {
  const transfers = await t.owner
    .selectFrom('charges.transfer')
    .selectAll()
    .where('reference', 'in', [chargeId, ...(await refundsOf(chargeId)).map(({ id }) => id)].map(referenceOf))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const reversals = transfers.filter(({ kind }) => kind === 'reversal');
  const newestCharge = reversals.length === 0 ? transfers[0] : undefined;
  const newest = { charge: newestCharge, reversal: reversals[0], 'reversal before': reversals[1] }[what];
  if (!newest || (await isTold(newest.id))) return;
  const charge = transfers.find(({ id }) => id === newest.reverses);
  const reversed = sumOf(reversals.filter(({ state }) => state === 'SUCCEEDED'));
  const mayBeMade = charge && newest.state === 'FAILED' && reversed + newest.amountCents <= charge.amountCents;
  await t.owner
    .updateTable('charges.transfer')
    .set({ state: mayBeMade ? 'SUCCEEDED' : 'FAILED' })
    .where('id', '=', newest.id)
    .execute();
}

/** Whether we have heard the end of it from the provider. */
async function isTold(transferId: string): Promise<boolean> {
  return t.inOffice(office, async (tx) => {
    const from = (table: 'payment' | 'paymentRefund') =>
      tx.selectFrom(table).select('state').where('transferId', '=', transferId).execute();
    return [...(await from('payment')), ...(await from('paymentRefund'))].some(({ state }) => state !== 'PENDING');
  });
}

const openQuestionsOf = async (visit: PayingVisit) =>
  (await t.call(transactions.listOpenQuestions, {}, { as: office })).body.questions.filter(
    ({ visitId }) => visitId === visit.id,
  );

/** Refunds that the practice says it gave back in another way. */
const paidOtherwise = new Set<string>();

/** A person looks up everything that is asked, and says what there is, or the opposite; twice at the same time. Returns how much it was. */
async function answerAll(
  visit: PayingVisit,
  { isTrue, paysOtherwise }: { isTrue: boolean; paysOtherwise: boolean },
): Promise<number> {
  const questions = await openQuestionsOf(visit);
  for (const question of questions) {
    const { kind, id, chargeId, part, amount } = question;
    asked.add(kind);
    // A refund that is not there is made in another way: that is as good.
    if (kind === 'refund' && isTrue && paysOtherwise && !(await isMadeThere({ id }))) paidOtherwise.add(id);
    const truth = {
      payment: () => isMadeThere({ id }),
      refund: async () => paidOtherwise.has(id) || isMadeThere({ id }),
      contradiction: async () => paidOtherwise.has(id),
      'paid-twice': async () => true,
      excess: async () => true,
      'charged-twice': async () => true,
      bounced: async () => true,
      dispute: async () => true,
      // The practice software never answers, so nobody could find out later that this was wrong.
      recording: () => isRecordedThere(chargeId, part, amount),
      correction: async () => true,
    }[kind];
    const mayLie = kind !== 'recording' && kind !== 'correction';
    const happened = (await truth()) === (isTrue || !mayLie);
    const body = { kind, id, happened };
    const answers = await Promise.all([1, 2].map(() => t.call(transactions.resolveQuestion, { body }, { as: office })));
    const statuses = answers.map(({ status }) => status);
    expect([kind, ...statuses.filter((status) => ![200, 409, 503].includes(status))]).toEqual([kind]);
    // Nobody can look into the practice's cash: what is said last counts.
    if (kind === 'contradiction' && statuses.includes(200)) paidOtherwise[happened ? 'add' : 'delete'](id);
  }
  return questions.length;
}

/** Calls whose processes have died, and that the provider or the practice software gets later. */
const chargesOnTheWay: (() => Promise<unknown>)[] = [];
const recordingsOnTheWay: (() => Promise<unknown>)[] = [];

const pay = ({ token }: PayingVisit, paymentId: string, card: string) =>
  t.call(copay.payCopay, { params: { token }, body: { paymentId, card } }, { as: null });
const refund = (chargeId: string, amount: number, id: string) =>
  t.call(copay.refundPayment, { params: { chargeId }, body: { id, amount, reason: 'Paid too much' } }, { as: office });
const giveUp = (chargeId: string, move: 'withdraw' | 'void') =>
  t.call(copay.voidPayment, { params: { chargeId }, body: { move, reason: 'Wrong patient' } }, { as: office });

/** Each payment of a visit as we have it, and as it has to be by what the provider has. */
async function booksOf(visit: PayingVisit) {
  const books = [];
  for (const { id, state, amountCents, refundedCents, excessRefundedCents } of await paymentsOf(visit)) {
    const transfer = await transferOf(id);
    const isCharged = state === 'SUCCEEDED' || refundedCents > 0;
    const refunds = await refundsOf(id);
    const kept = isCharged ? amountCents - refundedCents - excessRefundedCents : 0;
    if (transfer?.state !== 'SUCCEEDED') {
      // What was never charged is not kept, however people answered on the way.
      const isOver = ['REQUESTED', 'FAILED', 'CANCELLED'].includes(state) || refundedCents === amountCents;
      books.push({ ours: { id, kept, state: isOver ? 'over' : state }, theirs: { id, kept: 0, state: 'over' } });
      continue;
    }
    const made = await Promise.all(
      refunds.map(async (refund) =>
        (await isMadeThere(refund)) || paidOtherwise.has(refund.id) ? refund.amountCents : 0,
      ),
    );
    const refunded = made.reduce((sum, cents) => sum + cents, 0);
    books.push({
      ours: { id, kept, state },
      theirs: {
        id,
        kept: transfer.amountCents - refunded,
        state: state === 'CANCELLED' && refunded >= amountCents ? 'CANCELLED' : 'SUCCEEDED',
      },
    });
  }
  return books;
}

/** What the desk requested beside the first request. */
const requestedCents = new Map<string, number>();
const requestedOf = ({ id }: PayingVisit) => requestedCents.get(id) ?? 2_500;

/**
 * People were asked about everything that was charged beyond the largest payment of each request, by the provider's books; and so the visit
 * paid no more than the desk requested, less what they were asked about.
 */
async function expectAskedAboutTwice(
  visit: PayingVisit,
  books: readonly { theirs: { id: string; kept: number } }[],
): Promise<void> {
  const payments = await paymentsOf(visit);
  const keptOf = (id: string) => books.find(({ theirs }) => theirs.id === id)?.theirs.kept ?? 0;
  const twice = payments
    .filter(({ firstTryId }) => firstTryId === null)
    .map(({ id, chargedTwiceSettledCents }) => {
      const charged = payments.filter((row) => (row.firstTryId ?? row.id) === id && keptOf(row.id) > 0);
      const kept = charged.reduce((sum, row) => sum + keptOf(row.id), 0);
      const once = Math.max(0, ...charged.map(({ amountCents }) => amountCents));
      return { id, said: chargedTwiceSettledCents, is: Math.max(0, kept - once) };
    });
  for (const { id, said, is } of twice) expect([id, said]).toEqual([id, is]);
  const kept = payments.reduce((sum, { id }) => sum + keptOf(id), 0);
  expect(kept - twice.reduce((sum, { said }) => sum + said, 0)).toBeLessThanOrEqual(requestedOf(visit));
}
