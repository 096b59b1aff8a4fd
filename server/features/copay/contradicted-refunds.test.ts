import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copay, transactions } from '#contract/index.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { payingOffice } from '#testing/fixtures/payments.ts';
import { noAnswerCard, paymentDesk } from '#testing/fixtures/payment-desk.ts';

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

const {
  pay,
  paidVisit,
  shown,
  refund,
  record,
  questions,
  resolve,
  inAthena,
  runJobs,
  behave,
  callBack,
  ledger,
  contradictedRefund,
  reversalIs,
  voidIt,
} = paymentDesk({
  get t() {
    return t;
  },
  get office() {
    return office;
  },
});

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
});
