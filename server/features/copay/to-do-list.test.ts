import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { copay, queue, transactions } from '#contract/index.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';
import { RecordingRefused } from '#server/providers/practice-software/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { paymentDesk } from '#testing/fixtures/payment-desk.ts';

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
  totals,
  entry,
  confirmedVisit,
  withdraw,
  voidIt,
} = paymentDesk({
  get t() {
    return t;
  },
  get office() {
    return office;
  },
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
