import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { copay, patient, transactions } from '#contract/index.ts';
import { ChargeRefused, ChargesUnavailable } from '#server/providers/charges/port.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { checkDuePayments, lookUpDuePayments, recordDuePayments } from './jobs.ts';
import { recordPart } from './record-payments.ts';
import { dueRecordings } from './recording-sql.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
  office = await payingOffice(t);
});
afterAll(() => t.close());
beforeEach(() => t.owner.deleteFrom('rateLimit').execute());

async function paidVisit(amounts = {}, card?: string): Promise<PayingVisit> {
  const visit = await requestOn(t, office, amounts);
  const body = { paymentId: visit.chargeId, card: await makeCard(t, card) };
  await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  return visit;
}
const refund = ({ chargeId }: PayingVisit, amount: number, id = t.services.id()) =>
  t.call(copay.refundPayment, { params: { chargeId }, body: { id, amount, reason: 'Paid too much' } }, { as: office });
const giveUp = ({ chargeId }: PayingVisit, move: 'withdraw' | 'void') =>
  t.call(copay.voidPayment, { params: { chargeId }, body: { move, reason: 'Wrong patient' } }, { as: office });
const voidIt = (visit: PayingVisit) => giveUp(visit, 'void');
const record = ({ chargeId }: PayingVisit) => t.call(copay.recordInAthena, { body: { chargeId } }, { as: office });
const recordedAtProvider = ({ chargeId }: PayingVisit) =>
  t.owner
    .selectFrom('practiceSoftware.payment')
    .select(['amountCents', 'claimId', 'appointmentId', 'method', 'cardLast4'])
    .where('note', 'like', `%${chargeId}`)
    .orderBy('id')
    .execute();
const reversals = async ({ chargeId }: PayingVisit) => {
  const charge = await t.owner
    .selectFrom('charges.transfer')
    .select('id')
    .where('reference', 'like', `%.${chargeId}`)
    .executeTakeFirstOrThrow();
  return t.owner.selectFrom('charges.transfer').select('amountCents').where('reverses', '=', charge.id).execute();
};

describe('a refund', () => {
  test('part of a payment is refunded, then the rest, and no more', async () => {
    const visit = await paidVisit();
    expect((await refund(visit, 500)).body).toMatchObject({ refunded: 500, state: 'SUCCEEDED', mayVoid: false });
    expect((await refund(visit, 1_600)).body.code).toBe('refund_too_large');
    expect((await refund(visit, 1_500)).body.refunded).toBe(2_000);
    expect((await refund(visit, 1)).body.code).toBe('refund_too_large');
  });

  test('ten presses of one form refund once', async () => {
    const visit = await paidVisit();
    const id = t.services.id();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(visit, 700, id)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await reversals(visit)).toEqual([{ amountCents: 700 }]);
  });

  test('ten refunds at once never give back more than was paid', async () => {
    const visit = await paidVisit();
    await Promise.all(Array.from({ length: 10 }, () => refund(visit, 900)));
    expect(await reversals(visit)).toEqual([{ amountCents: 900 }, { amountCents: 900 }]);
  });

  test('a refund whose answer was lost is looked up and counted once', async () => {
    const visit = await paidVisit({}, '4000000000000101');
    expect((await refund(visit, 400)).body.refunded).toBe(400);
    expect(await reversals(visit)).toHaveLength(1);
  });

  test('a refund that the provider neither makes nor has goes on the to-do list, and fails an hour later', async () => {
    const visit = await paidVisit();
    const { charges } = t.services.providers;
    const { reverse } = charges;
    onTestFinished(() => void (charges.reverse = reverse));
    charges.reverse = () => Promise.reject(new ChargesUnavailable());
    const stateOf = async () =>
      (await t.call(copay.readPayment, { params: { chargeId: visit.chargeId } }, { as: office })).body.refunds[0]
        ?.state;
    await refund(visit, 500);
    for (let i = 0; i < 6; i++) {
      t.later(6);
      await lookUpDuePayments(t.services);
    }
    expect(await stateOf()).toBe('UNKNOWN');
    t.later(61);
    await lookUpDuePayments(t.services);
    charges.reverse = reverse;
    expect(await stateOf()).toBe('FAILED');
    expect((await refund(visit, 2_000)).body.refunded).toBe(2_000);
  });

  test('the id of a payment is no id for a refund: the provider would answer with the payment', async () => {
    const [visit, other] = [await paidVisit(), await paidVisit()];
    for (const { chargeId } of [visit, other])
      expect((await refund(visit, 2_000, chargeId)).body.code).toBe('payment_changed');
    expect(await reversals(visit)).toEqual([]);
    const { charges } = t.services.providers;
    const { officeId, merchant, transferId } = await t.inOffice(office, (tx) =>
      tx.selectFrom('payment').selectAll().where('id', '=', visit.chargeId).executeTakeFirstOrThrow(),
    );
    const order = {
      reference: `${officeId}.${other.chargeId}`,
      merchant,
      transferId: transferId ?? '',
      amountCents: 2_000,
    };
    await expect(charges.reverse(order)).rejects.toThrow(ChargeRefused);
    expect((await refund(visit, 2_000)).body.refunded).toBe(2_000);
  });

  test('a void gives everything back and cancels the payment; a second one is refused', async () => {
    const visit = await paidVisit();
    expect((await voidIt(visit)).body).toMatchObject({
      state: 'CANCELLED',
      refunded: 2_000,
      endReason: 'Wrong patient',
    });
    expect((await voidIt(visit)).body.code).toBe('payment_changed');
  });

  test('a request that was paid while the desk withdrew it is not given back, and an unpaid one is not voided', async () => {
    const visit = await paidVisit();
    expect((await giveUp(visit, 'withdraw')).body.code).toBe('payment_changed');
    expect(await reversals(visit)).toEqual([]);
    expect((await voidIt(await requestOn(t, office))).body.code).toBe('payment_changed');
  });

  test('after the office’s midnight a payment is refunded, not voided', async () => {
    const visit = await paidVisit();
    const today = t.now();
    t.later(24 * 60);
    expect((await voidIt(visit)).body.code).toBe('void_too_late');
    expect((await refund(visit, 2_000)).status).toBe(200);
    t.at(today);
  });
});

describe('recording in the practice software', () => {
  test('the job records copay and claims, once each', async () => {
    const visit = await paidVisit({ copay: 2_500, claims: 700 });
    await Promise.all([checkDuePayments(t.services), checkDuePayments(t.services)]);
    await checkDuePayments(t.services);
    const rows = await recordedAtProvider(visit);
    expect(rows.map(({ amountCents }) => amountCents).sort()).toEqual([2_500, 700]);
    expect(rows.every(({ method, cardLast4 }) => method === 'VISA' && cardLast4 === '4242')).toBe(true);
    expect((await record(visit)).body).toMatchObject({ athenaCopayRecorded: true, athenaClaimsRecorded: true });
    expect(await recordedAtProvider(visit)).toHaveLength(2);
  });

  test('a practice software that does not answer holds up no look-up, and no other practice’s recordings', async () => {
    // Its second part stays due all the time.
    const slow = await paidVisit({ claims: 700 });
    const second = await payingOffice(t);
    const other = await requestOn(t, second);
    const body = { paymentId: other.chargeId, card: await makeCard(t) };
    await t.call(copay.payCopay, { params: { token: other.token }, body }, { as: null });
    const { practiceSoftware } = t.services.providers;
    const { record: recordThere } = practiceSoftware;
    const answer = Promise.withResolvers<void>();
    practiceSoftware.record = async (order) => {
      if (order.practice === office.npi) await answer.promise;
      return recordThere(order);
    };
    const isRecorded = async () => {
      const params = { chargeId: other.chargeId };
      return (await t.call(copay.readPayment, { params }, { as: second })).body.athenaCopayRecorded;
    };
    const round = recordDuePayments(t.services);
    await expect.poll(isRecorded, { timeout: 20_000 }).toBe(true);
    await lookUpDuePayments(t.services);
    answer.resolve();
    await round;
    practiceSoftware.record = recordThere;
    expect((await record(slow)).body.athenaCopayRecorded).toBe(true);
  });

  test('a practice software that does not answer is asked once in a round', async () => {
    const visit = await paidVisit({ claims: 700 });
    await setBehavior(t.owner, office.npi, 'no-answer');
    await recordDuePayments(t.services);
    await setBehavior(t.owner, office.npi, null);
    const states = await t.inOffice(office, (tx) =>
      tx.selectFrom('paymentRecording').select('state').where('paymentId', '=', visit.chargeId).execute(),
    );
    expect(states.map(({ state }) => state).sort()).toEqual(['due', 'unknown']);
    await recordDuePayments(t.services);
    expect(await recordedAtProvider(visit)).toHaveLength(2);
  });

  test('a practice with much to record leaves room for the others', async () => {
    for (let i = 0; i < 3; i++) await paidVisit({ claims: 700 });
    const second = await payingOffice(t);
    const other = await requestOn(t, second);
    const body = { paymentId: other.chargeId, card: await makeCard(t) };
    await t.call(copay.payCopay, { params: { token: other.token }, body }, { as: null });
    const due = await dueRecordings(t.services.pool, t.now(), 6);
    expect(due.filter(({ officeId }) => officeId === office.id)).toHaveLength(5);
    expect(due.map(({ officeId }) => officeId)).toContain(second.id);
    while (await recordDuePayments(t.services));
  });

  test('a payment that was charged but not recorded is recorded by POST /payments/athena, only what is missing', async () => {
    const visit = await paidVisit({ copay: 2_500, claims: 700 });
    const rows = await t.inOffice(office, (tx) =>
      tx.selectFrom('paymentRecording').select(['id', 'part']).where('paymentId', '=', visit.chargeId).execute(),
    );
    const claims = rows.find(({ part }) => part === 'claims')?.id ?? '';
    await setBehavior(t.owner, office.npi, 'refuse');
    await recordPart(t.scopeOf(office), claims);
    expect((await record(visit)).body).toMatchObject({ athenaCopayRecorded: false, recording: 'missing' });
    await setBehavior(t.owner, office.npi, null);
    const replies = await Promise.all([record(visit), record(visit), record(visit)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await record(visit)).body).toMatchObject({ athenaCopayRecorded: true, athenaClaimsRecorded: true });
    expect(await recordedAtProvider(visit)).toHaveLength(2);
  });

  test('a recording without an answer is never sent again by itself, and a person resolves it', async () => {
    const visit = await paidVisit();
    await setBehavior(t.owner, office.npi, 'no-answer');
    await checkDuePayments(t.services);
    await setBehavior(t.owner, office.npi, null);
    for (let i = 0; i < 3; i++) {
      t.later(5);
      await checkDuePayments(t.services);
    }
    expect((await record(visit)).body.recording).toBe('unknown');
    expect(await recordedAtProvider(visit)).toHaveLength(1);
    const { questions } = (await t.call(transactions.listOpenQuestions, {}, { as: office })).body;
    const id = questions.find(({ chargeId }) => chargeId === visit.chargeId)?.id ?? '';
    await t.call(transactions.resolveQuestion, { body: { kind: 'recording', id, happened: true } }, { as: office });
    expect((await record(visit)).body).toMatchObject({ athenaCopayRecorded: true, recording: 'recorded' });
    expect(await recordedAtProvider(visit)).toHaveLength(1);
  });

  test('a claim whose process was killed is unknown, and is not recorded again', async () => {
    const visit = await paidVisit();
    await t.inOffice(office, (tx) =>
      tx
        .updateTable('paymentRecording')
        .set({ state: 'sending', checkAt: t.now() })
        .where('paymentId', '=', visit.chargeId)
        .execute(),
    );
    await checkDuePayments(t.services);
    expect((await record(visit)).body.recording).toBe('unknown');
    expect(await recordedAtProvider(visit)).toHaveLength(0);
  });

  test('a payment that is not charged has nothing to record', async () => {
    const visit = await requestOn(t, office);
    expect((await record(visit)).body.code).toBe('payment_not_charged');
  });
});

describe('a second payment of a visit', () => {
  const shown = async (chargeId: string) =>
    (await t.call(copay.readPayment, { params: { chargeId } }, { as: office })).body;
  const pageOf = async (token: string) =>
    (await t.call(patient.readPatientVisit, { params: { token } }, { as: null })).body;

  test('keeps the first one with its receipt on the phone, and in the desk’s details', async () => {
    const visit = await paidVisit();
    await refund(visit, 500);
    const elsewhere = await paidVisit();
    const body = { visitId: visit.id, copay: 1_000 };
    const second = (await t.call(copay.requestPayment, { body }, { as: office })).body;

    const page = await pageOf(visit.token);
    expect(page.payment).toMatchObject({ id: second.chargeId, state: 'REQUESTED' });
    expect(page.earlierPayments).toMatchObject([
      { id: visit.chargeId, amount: 2_000, refunded: 500, cardLast4: '4242' },
    ]);
    expect(page.practicePhone).toBe(`+1212556${office.npi.slice(-4)}`);
    expect(await pageOf(visit.unproved)).toMatchObject({ earlierPayments: [], practicePhone: null });

    const other = { chargeId: visit.chargeId, amount: 2_000, state: 'SUCCEEDED', refunded: 500, requested: false };
    expect(second).toMatchObject({ otherPayments: [other], practicePhone: `+1212556${office.npi.slice(-4)}` });
    expect((await shown(visit.chargeId)).otherPayments).toMatchObject([{ chargeId: second.chargeId, requested: true }]);
    expect((await shown(elsewhere.chargeId)).otherPayments).toEqual([]);
  });

  test('a receipt has the number that patients can call, as their pages do', async () => {
    const visit = await paidVisit();
    const setPhone = (phone: string | null) =>
      t.owner.updateTable('office').set({ phone }).where('id', '=', office.id).execute();
    onTestFinished(() => void setPhone(null));
    await setPhone('+12125550177');
    expect(await pageOf(visit.token)).toMatchObject({ practicePhone: '+12125550177' });
    expect(await shown(visit.chargeId)).toMatchObject({ practicePhone: '+12125550177' });
  });

  test('a try that was declined is no receipt', async () => {
    const visit = await requestOn(t, office);
    for (const number of ['4000000000000002', '4242424242424242'])
      await t.call(
        copay.payCopay,
        {
          params: { token: visit.token },
          body: { paymentId: (await pageOf(visit.token)).payment?.id ?? '', card: await makeCard(t, number) },
        },
        { as: null },
      );
    expect(await pageOf(visit.token)).toMatchObject({ payment: { state: 'SUCCEEDED' }, earlierPayments: [] });
  });
});
