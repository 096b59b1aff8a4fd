import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { transactions } from '#contract/index.ts';
import { ChargesUnavailable } from '#server/providers/charges/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { payingOffice, type PayingVisit } from '#testing/fixtures/payments.ts';
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
  paidVisit,
  shown,
  refund,
  questions,
  resolve,
  inAthena,
  runJobs,
  totals,
  confirmedVisit,
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
