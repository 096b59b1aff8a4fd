import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { copay, queue, transactions } from '#contract/index.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import { ChargesUnavailable } from '#server/providers/charges/port.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';
import { RecordingRefused } from '#server/providers/practice-software/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { checkDuePayments } from './jobs.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
});
beforeEach(async () => {
  await t.owner.deleteFrom('rateLimit').execute();
  office = await payingOffice(t);
});
afterAll(() => t.close());

const noAnswerCard = '4000000000000119';
const pay = async (visit: PayingVisit, card?: string) =>
  (await t.call(copay.payCopay, { params: { token: visit.token }, body: { paymentId: visit.chargeId, card: await makeCard(t, card) } }, { as: null })).body; // prettier-ignore
async function paidVisit(amounts = {}, card?: string): Promise<PayingVisit> {
  const visit = await requestOn(t, office, amounts);
  await pay(visit, card);
  return visit;
}
const shown = async ({ chargeId }: PayingVisit) =>
  (await t.call(copay.readPayment, { params: { chargeId } }, { as: office })).body;
const refund = ({ chargeId }: PayingVisit, amount: number) =>
  t.call(
    copay.refundPayment,
    { params: { chargeId }, body: { id: t.services.id(), amount, reason: 'Paid too much' } },
    { as: office },
  );
const giveUp =
  (move: 'withdraw' | 'void') =>
  ({ chargeId }: PayingVisit, as = office) =>
    t.call(copay.voidPayment, { params: { chargeId }, body: { move, reason: 'Paid in cash' } }, { as });
const [withdraw, voidIt] = [giveUp('withdraw'), giveUp('void')];
const record = ({ chargeId }: PayingVisit) => t.call(copay.recordInAthena, { body: { chargeId } }, { as: office });
const questions = async (as = office) =>
  (await t.call(transactions.listOpenQuestions, {}, { as })).body.questions.map(({ kind, id, problem, amount }) => ({
    kind,
    id,
    problem,
    amount,
  }));
type Kind = Awaited<ReturnType<typeof questions>>[number]['kind'];
const resolve = async (kind: Kind, happened: boolean) => {
  const id = (await questions()).find((question) => question.kind === kind)?.id ?? t.services.id();
  return t.call(transactions.resolveQuestion, { body: { kind, id, happened } }, { as: office });
};
const inAthena = async ({ chargeId }: PayingVisit) =>
  (
    await t.owner
      .selectFrom('practiceSoftware.payment')
      .select('amountCents')
      .where('note', 'like', `%${chargeId}`)
      .orderBy('amountCents')
      .execute()
  ).map(({ amountCents }) => amountCents);
const runJobs = async (minutes = 0) => {
  t.later(minutes);
  await checkDuePayments(t.services);
};
const totals = async () => (await t.call(transactions.totalTransactions, { body: {} }, { as: office })).body;
const entry = async ({ id }: PayingVisit) =>
  (await t.call(queue.listQueue, { query: {} }, { as: office })).body.find((visit) => visit.id === id)?.paymentResponse;

/** Charged, as a person said; the provider never named the transfer or the card. */
async function confirmedVisit(): Promise<PayingVisit> {
  const visit = await paidVisit({}, noAnswerCard);
  for (let i = 0; i < 6; i++) await runJobs(15);
  await resolve('payment', true);
  return visit;
}

/** From now on the local provider answers like this about the payment's transfer and what is made from it. */
const behave = async (visit: PayingVisit, set: { behavior: 'ok' | 'no-answer'; state?: 'PENDING' | 'FAILED' }) => {
  const charge = await t.owner
    .selectFrom('charges.transfer')
    .select('id')
    .where('reference', 'like', `%${visit.chargeId}`)
    .executeTakeFirstOrThrow();
  await t.owner
    .updateTable('charges.transfer')
    .set(set)
    .where((row) => row.or([row('id', '=', charge.id), row('reverses', '=', charge.id)]))
    .execute();
};
const callBack = (id: string) =>
  sendChargeEvent(
    t.services,
    async (path, headers, payload) => (await t.app.inject({ method: 'POST', url: path, headers, payload })).statusCode,
    { id: t.services.id(), type: 'transfer.updated', reference: `${office.id}.${id}` },
  );
const ledger = async ({ chargeId }: PayingVisit) =>
  (
    await t.inOffice(office, (tx) =>
      tx
        .selectFrom('moneyEntry')
        .select('amountCents')
        .where('paymentId', '=', chargeId)
        .orderBy('amountCents')
        .execute(),
    )
  ).map(({ amountCents }) => amountCents);

describe('what the provider says counts more than what a person says', () => {
  test('a charge that it calls pending cannot be called not charged, and is not paid twice', async () => {
    const visit = await paidVisit({}, noAnswerCard);
    for (let i = 0; i < 6; i++) await runJobs(15);
    await behave(visit, { behavior: 'ok', state: 'PENDING' });
    expect((await resolve('payment', false)).body.questions).toEqual([]);
    expect((await shown(visit)).state).toBe('PENDING');
    expect((await pay(visit)).state).toBe('PENDING');
  });

  test('a refund that it does not have cannot be called refunded', async () => {
    const visit = await paidVisit();
    const id = t.services.id();
    const at = t.now();
    await t.inOffice(office, (tx) =>
      tx
        .insertInto('paymentRefund')
        .values({
          officeId: office.id,
          id,
          paymentId: visit.chargeId,
          kind: 'refund',
          amountCents: 500,
          reason: 'Paid too much',
          requestedBy: 'Dana',
          state: 'UNKNOWN',
          createdAt: at,
          checkAt: at,
        })
        .execute(),
    );
    await resolve('refund', true);
    expect(await shown(visit)).toMatchObject({ refunded: 0, refunds: [{ state: 'FAILED' }] });
    expect(await ledger(visit)).toEqual([2_000]);
  });

  test('a refund that a person called failed is booked once it turns out that the provider made it', async () => {
    const visit = await paidVisit();
    await behave(visit, { behavior: 'no-answer' });
    const id = t.services.id();
    await t.call(copay.refundPayment, { params: { chargeId: visit.chargeId }, body: { id, amount: 500, reason: 'Paid too much' } }, { as: office }); // prettier-ignore
    for (let i = 0; i < 7; i++) await runJobs(15);
    await resolve('refund', false);
    expect(await ledger(visit)).toEqual([2_000]);
    await behave(visit, { behavior: 'ok' });
    await Promise.all([1, 2, 3].map(() => callBack(id)));
    expect(await shown(visit)).toMatchObject({ refunded: 500 });
    expect(await ledger(visit)).toEqual([-500, 2_000]);
    const entries = (await t.auditEntries(office)).filter(({ action }) => action === 'payment.resolve');
    expect(entries).toMatchObject([{ details: { refund: id, from: 'UNKNOWN', to: 'FAILED' } }]);
  });

  /** A refund that a person confirmed, and whose transfer the provider calls failed afterwards. */
  async function contradictedRefund(
    amount: number,
    amounts: { copay: number; claims?: number } = { copay: 2_000 },
  ): Promise<{ visit: PayingVisit; id: string }> {
    const visit = await paidVisit(amounts);
    await behave(visit, { behavior: 'no-answer' });
    const id = t.services.id();
    await t.call(copay.refundPayment, { params: { chargeId: visit.chargeId }, body: { id, amount, reason: 'Paid too much' } }, { as: office }); // prettier-ignore
    for (let i = 0; i < 7; i++) await runJobs(15);
    await resolve('refund', true);
    expect(await ledger(visit)).toEqual([-amount, amounts.copay + (amounts.claims ?? 0)]);
    await t.owner
      .updateTable('charges.transfer')
      .set({ behavior: 'ok', state: 'FAILED' })
      .where('reference', 'like', `%${id}`)
      .execute();
    await Promise.all([1, 2, 3].map(() => callBack(id)));
    return { visit, id };
  }

  test('a refund that a person confirmed wrongly is on the to-do list, and is taken back and made again', async () => {
    const { visit, id } = await contradictedRefund(500);
    // The other one: the practice software has what was refunded.
    expect(await questions()).toMatchObject([{ kind: 'contradiction', id, amount: 500 }, { kind: 'correction' }]);
    expect((await t.call(transactions.countOpenQuestions, {}, { as: office })).body).toEqual({ count: 2 });
    expect((await shown(visit)).refunds).toMatchObject([{ state: 'SUCCEEDED', contradicted: true }]);
    const stranger = await payingOffice(t);
    const body = { kind: 'contradiction' as const, id, happened: false };
    expect((await t.call(transactions.resolveQuestion, { body }, { as: stranger })).status).toBe(404);

    const answers = await Promise.all([1, 2].map(() => t.call(transactions.resolveQuestion, { body }, { as: office })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await shown(visit)).toMatchObject({
      state: 'SUCCEEDED',
      refunded: 0,
      refunds: [{ state: 'FAILED', contradicted: false }],
    });
    expect(await ledger(visit)).toEqual([-500, 500, 2_000]);
    const report = await t.call(transactions.readDayReport, { query: {} }, { as: office });
    expect(report.body).toMatchObject({ charged: 2_000, refunded: 0, net: 2_000, payments: 1, refunds: 0 });
    expect(await questions()).toEqual([]);

    await behave(visit, { behavior: 'ok' });
    expect((await refund(visit, 2_000)).body).toMatchObject({ refunded: 2_000 });
    const entries = (await t.auditEntries(office)).filter(({ action }) => action === 'payment.resolve');
    const takenBack = { refund: id, from: 'SUCCEEDED', to: 'FAILED', cents: 500 };
    expect(entries.map(({ details }) => details)).toContainEqual(expect.objectContaining(takenBack));
  });

  test('a refund that the provider calls failed stays if the patient got the money in another way', async () => {
    const { visit, id } = await contradictedRefund(500);
    await resolve('contradiction', true);
    await callBack(id);
    expect(await questions()).toMatchObject([{ kind: 'correction' }]);
    expect(await shown(visit)).toMatchObject({ refunded: 500, refunds: [{ state: 'SUCCEEDED', contradicted: false }] });
    expect(await ledger(visit)).toEqual([-500, 2_000]);
  });

  /** From now on the local provider says this about the reversal of a refund. */
  const reversalIs = (id: string, set: { state?: 'SUCCEEDED' | 'PENDING' | 'FAILED'; behavior?: 'ok' | 'no-answer' }) =>
    t.owner.updateTable('charges.transfer').set(set).where('reference', 'like', `%${id}`).execute();

  test('a refund that the provider makes after the patient got the money in another way is on the to-do list, once', async () => {
    const { visit, id } = await contradictedRefund(500);
    await resolve('contradiction', true);
    await reversalIs(id, { state: 'SUCCEEDED' });
    await Promise.all([1, 2, 3].map(() => callBack(id)));
    expect(await questions()).toMatchObject([{ kind: 'paid-twice', id, amount: 500 }, { kind: 'correction' }]);
    expect((await t.call(transactions.countOpenQuestions, {}, { as: office })).body).toEqual({ count: 2 });
    expect((await shown(visit)).refunds).toMatchObject([{ state: 'SUCCEEDED', contradicted: true }]);
    const stranger = await payingOffice(t);
    const body = { kind: 'paid-twice' as const, id, happened: true };
    expect((await t.call(transactions.resolveQuestion, { body }, { as: stranger })).status).toBe(404);
    // It has one answer: the money that moved twice stays moved in the ledger of the provider's refunds.
    await resolve('paid-twice', false);
    expect(await questions()).toMatchObject([{ kind: 'paid-twice' }, { kind: 'correction' }]);

    const answers = await Promise.all([1, 2].map(() => t.call(transactions.resolveQuestion, { body }, { as: office })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await callBack(id);
    expect(await questions()).toMatchObject([{ kind: 'correction' }]);
    expect((await shown(visit)).refunds).toMatchObject([{ state: 'SUCCEEDED', contradicted: false }]);
    expect(await ledger(visit)).toEqual([-500, 2_000]);
  });

  describe('a refund that is made after all when the rest was refunded otherwise', () => {
    // Hours pass, on one of the office's days.
    let began: Date;
    beforeEach(() => {
      began = t.now();
      t.at(new Date('2026-03-02T15:00:00Z'));
    });
    afterEach(() => t.at(began));

    /** Everything was refunded, that was taken back, and everything was given back in another way; then the provider makes the first one too. */
    async function refundedBeyond(first: number, second: number) {
      const { visit, id } = await contradictedRefund(first);
      await resolve('contradiction', false);
      await behave(visit, { behavior: 'no-answer' });
      await refund(visit, second);
      for (let i = 0; i < 7; i++) await runJobs(15);
      await resolve('refund', true);
      for (const { kind } of await questions()) if (kind === 'correction') await resolve(kind, true);
      await reversalIs(id, { behavior: 'ok', state: 'SUCCEEDED' });
      await Promise.all([1, 2, 3].map(() => callBack(id)));
      return { visit, id };
    }

    test('is booked, and on the to-do list until somebody sorted it out with the patient', async () => {
      const { visit } = await refundedBeyond(2_000, 2_000);
      expect((await ledger(visit)).reduce((sum, cents) => sum + cents, 0)).toBe(-2_000);
      expect(await shown(visit)).toMatchObject({ refunded: 4_000, state: 'SUCCEEDED', toCorrect: 0 });
      expect((await refund(visit, 1)).body.code).toBe('refund_too_large');
      expect(await totals()).toMatchObject({ charged: 2_000, refunded: 4_000 });
      expect(await questions()).toMatchObject([{ kind: 'excess', id: visit.chargeId, amount: 2_000 }]);
      expect((await t.call(transactions.countOpenQuestions, {}, { as: office })).body).toEqual({ count: 1 });

      const stranger = await payingOffice(t);
      const body = { kind: 'excess' as const, id: visit.chargeId, happened: true };
      expect((await t.call(transactions.resolveQuestion, { body }, { as: stranger })).status).toBe(404);
      const answers = await Promise.all([1, 2].map(() => t.call(transactions.resolveQuestion, { body }, { as: office }))); // prettier-ignore
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await questions()).toEqual([]);
      const entries = (await t.auditEntries(office)).filter(({ action }) => action === 'payment.resolve');
      const settled = { payment: visit.chargeId, excessSettled: 2_000 };
      expect(entries.map(({ details }) => details)).toContainEqual(expect.objectContaining(settled));
    });

    test('asks about no more than what is beyond the payment', async () => {
      const { visit } = await refundedBeyond(500, 1_800);
      expect(await shown(visit)).toMatchObject({ refunded: 2_300 });
      // The practice software still has what the first refund is of.
      expect(await questions()).toMatchObject([
        { kind: 'excess', amount: 300 },
        { kind: 'correction', amount: 200 },
      ]);
      const report = await t.call(transactions.readDayReport, { query: {} }, { as: office });
      expect(report.body).toMatchObject({ charged: 2_000, refunded: 2_300, net: -300 });
    });

    test('is settled and corrected by the amount that a person saw: if it grew since then, they look again', async () => {
      const { visit } = await refundedBeyond(500, 1_800);
      const say = (kind: 'excess' | 'correction', amount: number) =>
        t.call(transactions.resolveQuestion, { body: { kind, id: visit.chargeId, happened: true, amount } }, { as: office }); // prettier-ignore
      for (const kind of ['excess', 'correction'] as const)
        expect((await say(kind, 100)).body.code, kind).toBe('payment_changed');
      expect(await questions()).toHaveLength(2);
      expect((await say('excess', 300)).body.questions).toMatchObject([{ kind: 'correction' }]);
      expect((await say('correction', 200)).body.questions).toEqual([]);
    });

    test('is nothing beyond the payment once the other one turns out never to have been made', async () => {
      const { visit } = await refundedBeyond(2_000, 2_000);
      await behave(visit, { behavior: 'ok', state: 'FAILED' });
      const [first, second] = (await shown(visit)).refunds;
      await reversalIs(first?.id ?? '', { state: 'SUCCEEDED' });
      await callBack(second?.id ?? '');
      expect(await questions()).toMatchObject([{ kind: 'excess' }, { kind: 'contradiction', id: second?.id }]);
      await resolve('contradiction', false);
      expect(await shown(visit)).toMatchObject({ refunded: 2_000 });
      expect((await ledger(visit)).reduce((sum, cents) => sum + cents, 0)).toBe(0);
      expect(await questions()).toEqual([]);
    });

    test('a void leaves a payment that another void ended as it is', async () => {
      const visit = await paidVisit();
      const first = await unknownVoid(visit);
      await resolve('refund', false);
      await reversalIs(first, { state: 'FAILED' });
      await unknownVoid(visit);
      await resolve('refund', true);
      expect((await shown(visit)).state).toBe('CANCELLED');
      await reversalIs(first, { behavior: 'ok', state: 'SUCCEEDED' });
      await callBack(first);
      expect(await shown(visit)).toMatchObject({ state: 'CANCELLED', refunded: 4_000 });
      expect((await ledger(visit)).reduce((sum, cents) => sum + cents, 0)).toBe(-2_000);
    });

    async function unknownVoid(visit: PayingVisit): Promise<string> {
      await behave(visit, { behavior: 'no-answer' });
      const { refunds } = (await voidIt(visit)).body;
      for (let i = 0; i < 7; i++) await runJobs(15);
      return refunds.at(-1)?.id ?? '';
    }
  });

  test('a refund that the provider made after all is not taken back', async () => {
    const { visit, id } = await contradictedRefund(500);
    await reversalIs(id, { state: 'SUCCEEDED' });
    const answer = await resolve('contradiction', false);
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'payment_changed' }]);
    expect(await shown(visit)).toMatchObject({ refunded: 500, refunds: [{ state: 'SUCCEEDED', contradicted: false }] });
    expect(await ledger(visit)).toEqual([-500, 2_000]);
    expect(await questions()).toMatchObject([{ kind: 'correction' }]);
    // What the provider has made is no longer looked at.
    await t.owner
      .updateTable('charges.transfer')
      .set({ state: 'FAILED' })
      .where('reference', 'like', `%${id}`)
      .execute();
    await callBack(id);
    expect(await questions()).toMatchObject([{ kind: 'correction' }]);
  });

  test.each([{ behavior: 'no-answer' as const }, { state: 'PENDING' as const }])(
    'a refund is not taken back while the provider cannot tell: %j',
    async (set) => {
      const { visit, id } = await contradictedRefund(500);
      await reversalIs(id, set);
      const answer = await resolve('contradiction', false);
      expect([answer.status, answer.body]).toMatchObject([503, { code: 'merchant_away' }]);
      expect(await ledger(visit)).toEqual([-500, 2_000]);
      expect(await questions()).toMatchObject([{ kind: 'contradiction', id }, { kind: 'correction' }]);
      // That the patient has the money moves none, so it can be said.
      expect((await resolve('contradiction', true)).body.questions).toMatchObject([{ kind: 'correction' }]);
    },
  );

  test('a question about a refund is closed once the provider reports that it was made', async () => {
    const { visit, id } = await contradictedRefund(500);
    await reversalIs(id, { state: 'SUCCEEDED' });
    await Promise.all([1, 2, 3].map(() => callBack(id)));
    expect(await questions()).toMatchObject([{ kind: 'correction' }]);
    expect((await shown(visit)).refunds).toMatchObject([{ state: 'SUCCEEDED', contradicted: false }]);
    expect(await ledger(visit)).toEqual([-500, 2_000]);
  });

  test('an amount left out of the practice software is recorded after all once its refund is taken back', async () => {
    await setBehavior(t.owner, office.npi, 'refuse');
    const { visit } = await contradictedRefund(2_000);
    expect((await shown(visit)).recording).toBe('none');
    await setBehavior(t.owner, office.npi, null);
    await resolve('contradiction', false);
    await runJobs();
    expect([await inAthena(visit), (await shown(visit)).recording]).toEqual([[2_000], 'recorded']);
  });

  test('an entry that was corrected and is entered again has to be corrected again after the next refund', async () => {
    const { visit } = await contradictedRefund(500);
    await runJobs();
    expect((await resolve('correction', true)).status).toBe(200);
    await resolve('contradiction', false);
    expect(await questions()).toEqual([]);
    await behave(visit, { behavior: 'ok' });
    await refund(visit, 500);
    expect((await shown(visit)).toCorrect).toBe(500);
    expect(await questions()).toMatchObject([{ kind: 'correction', amount: 500 }]);
  });

  test('an entry that was corrected for another refund stays corrected', async () => {
    const { visit } = await contradictedRefund(500);
    await behave(visit, { behavior: 'ok' });
    await refund(visit, 300);
    expect(await questions()).toMatchObject([{ kind: 'contradiction' }, { kind: 'correction', amount: 800 }]);
    await resolve('correction', true);
    await resolve('contradiction', false);
    expect([await questions(), (await shown(visit)).toCorrect]).toEqual([[], 0]);
    await refund(visit, 500);
    expect(await questions()).toMatchObject([{ kind: 'correction', amount: 500 }]);
  });

  test('a void that was corrected and is taken back can be made and corrected again', async () => {
    const visit = await paidVisit();
    await runJobs();
    await behave(visit, { behavior: 'no-answer' });
    const { refunds } = (await voidIt(visit)).body;
    const id = refunds[0]?.id ?? '';
    for (let i = 0; i < 7; i++) await runJobs(15);
    await resolve('refund', true);
    await resolve('correction', true);
    await reversalIs(id, { behavior: 'ok', state: 'FAILED' });
    await callBack(id);
    await resolve('contradiction', false);
    expect(await shown(visit)).toMatchObject({ state: 'SUCCEEDED', refunded: 0, toCorrect: 0 });
    await behave(visit, { behavior: 'ok' });
    await refund(visit, 2_000);
    expect(await questions()).toMatchObject([{ kind: 'correction', amount: 2_000 }]);
  });

  /** A refund that a person confirmed wrongly before the rest was recorded in the practice software. */
  async function leftOutRefund(amounts: { copay: number; claims?: number }, amount: number) {
    await setBehavior(t.owner, office.npi, 'refuse');
    const { visit, id } = await contradictedRefund(amount, amounts);
    await setBehavior(t.owner, office.npi, null);
    await record(visit);
    await behave(visit, { behavior: 'ok' });
    return { visit, id };
  }

  test('an amount that a refund left out is another entry if the rest was recorded before the refund is taken back', async () => {
    const { visit } = await leftOutRefund({ copay: 10_000 }, 4_000);
    expect(await inAthena(visit)).toEqual([6_000]);
    const answers = await resolve('contradiction', false);
    expect(answers.body.questions).toEqual([]);
    expect(await shown(visit)).toMatchObject({ recording: 'waiting', athenaCopayRecorded: false });
    const report = async () => (await t.call(transactions.readDayReport, { query: {} }, { as: office })).body;
    expect(await report()).toMatchObject({ recorded: 6_000, waiting: 4_000, missing: 0, refundedAfterRecording: 0 });
    await Promise.all([runJobs(), runJobs()]);
    expect(await inAthena(visit)).toEqual([4_000, 6_000]);
    expect(await shown(visit)).toMatchObject({ recording: 'recorded', athenaCopayRecorded: true, toCorrect: 0 });
    expect(await report()).toMatchObject({ net: 10_000, recorded: 10_000, waiting: 0, refundedAfterRecording: 0 });
    await refund(visit, 4_000);
    expect(await questions()).toMatchObject([{ kind: 'correction', amount: 4_000 }]);
  });

  test('an amount that a refund left out is recorded beside what was corrected for another refund', async () => {
    const { visit, id } = await leftOutRefund({ copay: 10_000 }, 4_000);
    await refund(visit, 1_000);
    await resolve('correction', true);
    await t.call(
      transactions.resolveQuestion,
      { body: { kind: 'contradiction', id, happened: false } },
      { as: office },
    );
    await runJobs();
    // 6000 - 1000 that staff took out + 4000 is what the patient has paid.
    expect(await inAthena(visit)).toEqual([4_000, 6_000]);
    expect([await questions(), (await shown(visit)).toCorrect]).toEqual([[], 0]);
  });

  test('an amount that a refund left out of copay and claims is recorded in each, once', async () => {
    const { visit } = await leftOutRefund({ copay: 2_500, claims: 700 }, 1_000);
    expect(await inAthena(visit)).toEqual([2_200]);
    await resolve('contradiction', false);
    await runJobs();
    expect(await inAthena(visit)).toEqual([300, 700, 2_200]);
  });

  test('a charge that a person confirmed is taken back once the provider says that it failed', async () => {
    const visit = await confirmedVisit();
    await behave(visit, { behavior: 'ok', state: 'FAILED' });
    await Promise.all([1, 2, 3].map(() => callBack(visit.chargeId)));
    const refunds = [{ kind: 'void', amount: 2_000, state: 'SUCCEEDED', by: null, reason: 'never charged' }];
    expect(await shown(visit)).toMatchObject({ state: 'CANCELLED', refunded: 2_000, recording: 'none', refunds });
    expect(await ledger(visit)).toEqual([-2_000, 2_000]);
    await runJobs();
    expect([await inAthena(visit), await questions()]).toEqual([[], []]);
  });

  describe('after a wrong answer the provider is asked every hour, also without a callback', () => {
    /** The provider answers no question about what it has, until the test goes on. */
    const silence = () => {
      const { charges } = t.services.providers;
      const { find } = charges;
      const end = () => void (charges.find = find);
      onTestFinished(end);
      charges.find = () => Promise.reject(new ChargesUnavailable());
      return end;
    };
    /** Calls of this kind never arrive, until the test goes on; what they asked for. */
    const lose = (verb: 'charge' | 'reverse') => {
      const { charges } = t.services.providers;
      const call = charges[verb];
      const lost: (() => Promise<unknown>)[] = [];
      const end = () => void Object.assign(charges, { [verb]: call });
      onTestFinished(end);
      Object.assign(charges, {
        [verb]: (order: never) => {
          lost.push(() => call(order));
          return Promise.reject(new ChargesUnavailable());
        },
      });
      return { lost, end };
    };
    const passHours = async () => {
      for (let i = 0; i < 7; i++) await runJobs(15);
    };
    /** A charge that never arrived, and that a person calls charged. */
    async function neverSent() {
      const calls = lose('charge');
      const speak = silence();
      const visit = await paidVisit();
      await passHours();
      expect((await resolve('payment', true)).status).toBe(200);
      calls.end();
      return { visit, speak, lost: calls.lost };
    }

    test('a charge that a person called not charged is booked when the provider has it', async () => {
      const visit = await paidVisit({}, noAnswerCard);
      await passHours();
      await resolve('payment', false);
      expect((await shown(visit)).state).toBe('FAILED');
      await behave(visit, { behavior: 'ok' });
      await runJobs(61);
      expect(await shown(visit)).toMatchObject({ state: 'SUCCEEDED', cardBrand: 'Visa' });
      expect(await ledger(visit)).toEqual([2_000]);
    });

    test('a charge that never reached the provider is taken back, and is booked again if it arrives after all', async () => {
      const { visit, speak, lost } = await neverSent();
      expect(await ledger(visit)).toEqual([2_000]);
      speak();
      await runJobs(61);
      expect(await shown(visit)).toMatchObject({ state: 'CANCELLED', refunded: 2_000, recording: 'none' });
      expect(await ledger(visit)).toEqual([-2_000, 2_000]);
      await lost[0]?.();
      await runJobs(61);
      await runJobs();
      expect(await shown(visit)).toMatchObject({ state: 'SUCCEEDED', refunded: 0, recording: 'recorded' });
      expect(await ledger(visit)).toEqual([-2_000, 2_000, 2_000]);
    });

    test('nothing stays of a charge that the provider never made, whatever people called refunded', async () => {
      const { visit, speak } = await neverSent();
      await refund(visit, 500);
      await refund(visit, 300);
      await resolve('refund', true);
      speak();
      await runJobs(61);
      expect((await shown(visit)).refunds.map(({ state }) => state).sort()).toEqual([
        'FAILED',
        'SUCCEEDED',
        'SUCCEEDED',
      ]);
      expect((await ledger(visit)).reduce((sum, cents) => sum + cents, 0)).toBe(0);
      expect(await questions()).toEqual([]);
    });

    test('a refund that never reached the provider is on the to-do list again', async () => {
      const visit = await paidVisit();
      const calls = lose('reverse');
      const speak = silence();
      await refund(visit, 500);
      await passHours();
      await resolve('refund', true);
      expect(await ledger(visit)).toEqual([-500, 2_000]);
      calls.end();
      speak();
      await runJobs(61);
      expect(await questions()).toMatchObject([{ kind: 'contradiction', amount: 500 }, { kind: 'correction' }]);
      await resolve('contradiction', false);
      expect(await ledger(visit)).toEqual([-500, 500, 2_000]);
      expect(await shown(visit)).toMatchObject({ refunded: 0, refunds: [{ state: 'FAILED' }] });
    });

    test('a charge that was pending, and then confirmed, is taken back once the bank refuses it', async () => {
      const visit = await paidVisit({}, '4000000000000077');
      await behave(visit, { behavior: 'no-answer' });
      for (let i = 0; i < 8; i++) await runJobs(61);
      expect((await resolve('payment', true)).status).toBe(200);
      await behave(visit, { behavior: 'ok', state: 'FAILED' });
      await runJobs(61);
      expect(await shown(visit)).toMatchObject({ state: 'CANCELLED', refunded: 2_000 });
      expect(await ledger(visit)).toEqual([-2_000, 2_000]);
    });

    test('the provider is asked for a week about a payment that a person decided', async () => {
      const visit = await paidVisit({}, noAnswerCard);
      await passHours();
      await resolve('payment', false);
      for (let day = 0; day < 8; day++) await runJobs(24 * 60);
      await behave(visit, { behavior: 'ok' });
      await runJobs(61);
      expect((await shown(visit)).state).toBe('FAILED');
    });
  });

  test('an operation of another provider is not looked up at this one', async () => {
    const visit = await paidVisit({}, noAnswerCard);
    await t.inOffice(office, (tx) =>
      tx.updateTable('payment').set({ provider: 'finix' }).where('id', '=', visit.chargeId).execute(),
    );
    await t.owner.deleteFrom('charges.transfer').where('reference', 'like', `%${visit.chargeId}`).execute();
    for (let i = 0; i < 6; i++) await runJobs(15);
    expect((await shown(visit)).state).toBe('UNKNOWN');
  });
});

describe('a request that must not be paid', () => {
  /** The form is refused too: nobody types a card in vain. */
  const expectNotNow = async (visit: PayingVisit) => {
    const form = await t.call(copay.openCardForm, { params: { token: visit.token } }, { as: null });
    expect([form.status, form.body.code]).toEqual([409, 'payment_not_now']);
    expect((await pay(visit)) as unknown).toMatchObject({ code: 'payment_not_now' });
  };

  test('the request of a visit that the desk removed cannot be paid', async () => {
    const visit = await requestOn(t, office);
    expect(
      (await t.call(queue.moveVisit, { body: { id: visit.id, action: 'DOCTOR_CANCELLED' } }, { as: office })).status,
    ).toBe(200);
    await expectNotNow(visit);

    const seen = await requestOn(t, office);
    for (const action of ['INVITED', 'DOCTOR_CANCELLED'] as const)
      await t.call(queue.moveVisit, { body: { id: seen.id, action } }, { as: office });
    expect((await pay(seen)).state).toBe('SUCCEEDED');
  });

  test('the request of an office that has another merchant or provider by now cannot be paid', async () => {
    const visit = await requestOn(t, office);
    for (const set of [{ merchant: 'another' }, { provider: 'another' }]) {
      await t.inOffice(office, (tx) => tx.updateTable('payment').set(set).where('id', '=', visit.chargeId).execute());
      await expectNotNow(visit);
    }
  });

  test('the request of an office whose application was rejected meanwhile cannot be paid', async () => {
    const [visit, failed] = [await requestOn(t, office), await requestOn(t, office)];
    await pay(failed, '4000000000000002');
    await t.inOffice(office, (tx) =>
      tx.updateTable('merchantApplication').set({ state: 'rejected' }).where('officeId', '=', office.id).execute(),
    );
    await expectNotNow(visit);
    await expectNotNow(failed);
  });
});

describe('a payment that a person confirmed', () => {
  test('a payment that a person confirmed is refunded by a person too: the refund is on the to-do list and blocks nothing after it', async () => {
    const visit = await confirmedVisit();
    expect((await refund(visit, 500)).body.refunds).toMatchObject([{ state: 'UNKNOWN', amount: 500 }]);
    await runJobs(2);
    expect(await questions()).toContainEqual({ kind: 'refund', id: expect.any(String), problem: null, amount: 500 });
    await resolve('refund', false);
    expect((await refund(visit, 2_000)).status).toBe(200);
    await resolve('refund', true);
    expect(await shown(visit)).toMatchObject({ refunded: 2_000, transferId: null });
  });

  test('a payment that a person confirmed is refunded as usual if the provider can name its transfer by then', async () => {
    const visit = await confirmedVisit();
    await t.owner.updateTable('charges.transfer').set({ behavior: 'ok' }).where('reference', 'like', `%${visit.chargeId}`).execute(); // prettier-ignore
    expect((await refund(visit, 500)).body).toMatchObject({
      refunded: 500,
      transferId: expect.any(String),
      cardBrand: 'Visa',
    });
  });

  test('a payment that a person confirmed is on the to-do list if the practice software refuses it, with the reason', async () => {
    const visit = await confirmedVisit();
    await runJobs();
    expect(await shown(visit)).toMatchObject({ recording: 'missing', recordingProblem: 'payment method' });
    expect(await questions()).toMatchObject([{ kind: 'recording', problem: 'payment method' }]);
    expect((await record(visit)).body).toMatchObject({ recording: 'missing', recordingProblem: 'payment method' });
    expect((await resolve('recording', false)).body.questions).toMatchObject([{ problem: 'payment method' }]);
    expect((await resolve('recording', true)).body.questions).toEqual([]);
    expect(await shown(visit)).toMatchObject({ athenaCopayRecorded: true, recording: 'recorded' });
    expect(await inAthena(visit)).toEqual([]);
  });
});

describe('refunds and the practice software', () => {
  test('an amount refunded before it was recorded is left out of the practice software', async () => {
    const visit = await paidVisit({ copay: 2_500, claims: 700 });
    await refund(visit, 1_000);
    await runJobs();
    expect(await inAthena(visit)).toEqual([2_200]);
    expect(await shown(visit)).toMatchObject({ recording: 'recorded', toCorrect: 0 });
  });

  test.each([
    ['refunded', (visit: PayingVisit) => refund(visit, 2_000)],
    ['voided', (visit: PayingVisit) => voidIt(visit)],
  ])('a payment that was %s before it was recorded never reaches the practice software', async (_, giveBack) => {
    const visit = await paidVisit();
    await giveBack(visit);
    await runJobs();
    expect(await inAthena(visit)).toEqual([]);
    expect(await shown(visit)).toMatchObject({ recording: 'none', athenaCopayRecorded: false });
    expect([await questions(), (await totals()).missing, (await entry(visit))?.recording]).toEqual([[], 0, 'none']);
  });

  test('a void of a recorded payment asks the desk to correct the practice software', async () => {
    const visit = await paidVisit();
    await runJobs();
    await voidIt(visit);
    expect(await shown(visit)).toMatchObject({ athenaCopayRecorded: true, recording: 'recorded', toCorrect: 2_000 });
    const stranger = await payingOffice(t);
    const body = { kind: 'correction' as const, id: visit.chargeId, happened: true };
    expect((await t.call(transactions.resolveQuestion, { body }, { as: stranger })).status).toBe(404);
    expect(await questions()).toMatchObject([{ kind: 'correction', amount: 2_000 }]);
    expect((await t.call(transactions.countOpenQuestions, {}, { as: office })).body).toEqual({ count: 1 });
    expect((await resolve('correction', true)).body.questions).toEqual([]);
    expect(await shown(visit)).toMatchObject({ toCorrect: 0 });
    expect((await t.call(transactions.resolveQuestion, { body }, { as: office })).status).toBe(409);
  });

  test('an amount still to be recorded is not missing; one that was refused is, without what was refunded', async () => {
    const visit = await paidVisit();
    expect((await totals()).missing).toBe(0);
    await setBehavior(t.owner, office.npi, 'refuse');
    await runJobs();
    expect((await totals()).missing).toBe(2_000);
    await refund(visit, 500);
    expect((await totals()).missing).toBe(1_500);
    const report = await t.call(transactions.readDayReport, { query: {} }, { as: office });
    expect(report.body).toMatchObject({ recorded: 0, missing: 1_500 });
    await refund(visit, 1_500);
    expect([(await totals()).missing, await questions()]).toEqual([0, []]);
  });

  test('an amount refunded while Athena was refusing it is not missing', async () => {
    const visit = await paidVisit();
    const { practiceSoftware } = t.services.providers;
    const { record: recordThere } = practiceSoftware;
    onTestFinished(() => void (practiceSoftware.record = recordThere));
    practiceSoftware.record = async () => {
      await refund(visit, 2_000);
      throw new RecordingRefused('payment method');
    };
    await runJobs();
    expect([await questions(), (await shown(visit)).recording]).toEqual([[], 'none']);
  });

  test('a part that Athena did not answer is unknown, not missing: trying again does not send it', async () => {
    const visit = await paidVisit();
    await setBehavior(t.owner, office.npi, 'no-answer');
    await runJobs();
    expect([(await record(visit)).body.recording, (await entry(visit))?.recording]).toEqual(['unknown', 'unknown']);
    expect(await inAthena(visit)).toEqual([2_000]);
  });
});

describe('a payment that failed', () => {
  test('a failed payment can be withdrawn by the desk, and the phone can no longer pay it', async () => {
    const visit = await requestOn(t, office);
    expect((await pay(visit, '4000000000000002')).state).toBe('FAILED');
    expect((await shown(visit)).mayWithdraw).toBe(true);
    expect((await withdraw(visit, await payingOffice(t))).status).toBe(404);
    expect((await withdraw(visit)).body).toMatchObject({ state: 'CANCELLED', endReason: 'Paid in cash' });
    expect((await pay(visit)).state).toBe('CANCELLED');
  });

  test('a failed payment is withdrawn or tried again, never both', async () => {
    const visit = await requestOn(t, office);
    await pay(visit, '4000000000000002');
    const [tried, withdrawn] = await Promise.all([pay(visit), withdraw(visit)]);
    const isPaid = tried.state === 'SUCCEEDED';
    expect([tried.state, withdrawn.status]).toEqual(isPaid ? ['SUCCEEDED', 409] : ['CANCELLED', 200]);
  });

  test('a failed payment that was tried again is over: only the newest try can be withdrawn', async () => {
    const visit = await requestOn(t, office);
    await pay(visit, '4000000000000002');
    await pay(visit, '4000000000000002');
    expect((await shown(visit)).mayWithdraw).toBe(false);
    expect((await withdraw(visit)).body.code).toBe('payment_changed');
  });
});
