import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { copay, patient, transactions } from '#contract/index.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import { bounceCharge, refundAtDashboard } from '#server/providers/charges/local.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { checkDuePayments } from './jobs.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
  t.services.log.level = 'silent';
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.owner.deleteFrom('rateLimit').execute();
  t.at('2026-03-02T15:00:00.000Z');
  office = await payingOffice(t, { emr: 'Epic' });
});

async function paidVisit(card?: string): Promise<PayingVisit> {
  const visit = await requestOn(t, office);
  const body = { paymentId: visit.chargeId, card: await makeCard(t, card) };
  await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  return visit;
}
const referenceOf = ({ chargeId }: PayingVisit) => `${office.id}.${chargeId}`;
const shown = async ({ chargeId }: PayingVisit) =>
  (await t.call(copay.readPayment, { params: { chargeId } }, { as: office })).body;
const questions = async () => (await t.call(transactions.listOpenQuestions, {}, { as: office })).body.questions;
const answer = (
  body: { kind: 'refund' | 'paid-twice' | 'bounced' | 'dispute'; id: string; happened: boolean },
  as = office,
) => t.call(transactions.resolveQuestion, { body }, { as });
const ledger = async ({ chargeId }: PayingVisit) =>
  (
    await t.inOffice(office, (tx) =>
      tx.selectFrom('moneyEntry').select('amountCents').where('paymentId', '=', chargeId).orderBy('id').execute(),
    )
  ).map(({ amountCents }) => amountCents);
const tell = (about: Omit<Parameters<typeof sendChargeEvent>[2], 'id' | 'type'>) =>
  sendChargeEvent(
    t.services,
    async (url, headers, payload) => (await t.app.inject({ method: 'POST', url, headers, payload })).statusCode,
    { id: t.services.id(), type: 'transfer.updated', ...about },
  );
/** A refund in the provider's dashboard, with its callback twice at the same time and once more. */
async function refundThere(visit: PayingVisit, cents: number): Promise<string> {
  const transferId = (await refundAtDashboard(t.services, referenceOf(visit), cents)) ?? '';
  const about = { reference: `dashboard.${transferId}`, transferId };
  await Promise.all([tell(about), tell(about)]);
  await tell(about);
  return transferId;
}

test('a refund that was made in the provider’s dashboard is booked once, and can be seen', async () => {
  const visit = await paidVisit();
  await refundThere(visit, 500);
  await refundThere(visit, 300);
  expect(await shown(visit)).toMatchObject({
    state: 'SUCCEEDED',
    refunded: 800,
    refunds: [
      { amount: 500, reason: 'made at the provider', by: null, state: 'SUCCEEDED' },
      { amount: 300, reason: 'made at the provider', by: null, state: 'SUCCEEDED' },
    ],
  });
  expect(await ledger(visit)).toEqual([2_000, -500, -300]);
  const entries = (await t.auditEntries(office)).filter(({ action }) => action === 'payment.settle');
  expect(entries.filter(({ details }) => JSON.stringify(details).includes('atProvider'))).toHaveLength(2);
});

test('a refund of ours is not booked once more when its callback names its transfer', async () => {
  const visit = await paidVisit();
  const id = t.services.id();
  const body = { id, amount: 500, reason: 'Paid too much' };
  await t.call(copay.refundPayment, { params: { chargeId: visit.chargeId }, body }, { as: office });
  const [refund] = await t.owner.selectFrom('charges.transfer').select('id').where('reference', 'like', `%${id}`).execute(); // prettier-ignore
  await tell({ reference: `${office.id}.${id}`, transferId: refund?.id ?? '' });
  await tell({ reference: '', transferId: refund?.id ?? '' });
  expect(await ledger(visit)).toEqual([2_000, -500]);
});

test('a refund that a person made in the dashboard because we could not is that refund, before and after they say so', async () => {
  const confirmed = async () => {
    const visit = await paidVisit('4000000000000119');
    for (let i = 0; i < 6; i++) {
      t.later(15);
      await checkDuePayments(t.services);
    }
    const [question] = await questions();
    const body = { kind: 'payment' as const, id: question?.id ?? '', happened: true };
    await t.call(transactions.resolveQuestion, { body }, { as: office });
    const refund = { id: t.services.id(), amount: 500, reason: 'Paid too much' };
    await t.call(copay.refundPayment, { params: { chargeId: visit.chargeId }, body: refund }, { as: office });
    await t.owner.updateTable('charges.transfer').set({ behavior: 'ok' }).execute();
    return { visit, id: refund.id };
  };
  const before = await confirmed();
  await refundThere(before.visit, 500);
  expect(await questions()).toEqual([]);
  expect(await ledger(before.visit)).toEqual([2_000, -500]);

  const after = await confirmed();
  await t.inOffice(office, (tx) => tx.updateTable('paymentRefund').set({ checkAt: null }).where('id', '=', after.id).execute()); // prettier-ignore
  await t.owner.updateTable('charges.transfer').set({ behavior: 'no-answer' }).execute();
  await answer({ kind: 'refund', id: after.id, happened: true });
  await t.owner.updateTable('charges.transfer').set({ behavior: 'ok' }).execute();
  await refundThere(after.visit, 500);
  expect(await shown(after.visit)).toMatchObject({ refunded: 500, refunds: [{ state: 'SUCCEEDED' }] });
  expect(await ledger(after.visit)).toEqual([2_000, -500]);
});

/** The payment of a card whose outcome nobody learned, which is asked about. */
async function unknownPayment(): Promise<PayingVisit> {
  const visit = await paidVisit('4000000000000119');
  for (let i = 0; i < 6; i++) {
    t.later(15);
    await checkDuePayments(t.services);
  }
  return visit;
}
const letProviderAnswer = () => t.owner.updateTable('charges.transfer').set({ behavior: 'ok' }).execute();

test('a refund in the dashboard that is pending first is still the refund that somebody confirmed', async () => {
  const visit = await paidVisit();
  const refund = { id: t.services.id(), amount: 500, reason: 'Paid too much' };
  await t.call(copay.refundPayment, { params: { chargeId: visit.chargeId }, body: refund }, { as: office });
  // A person has confirmed it; the provider knows nothing of it by our name.
  const confirmed = { transferId: null, checkAt: null };
  await t.inOffice(office, (tx) =>
    tx.updateTable('paymentRefund').set(confirmed).where('id', '=', refund.id).execute(),
  );
  await t.owner.deleteFrom('charges.transfer').where('reference', 'like', `%${refund.id}`).execute();
  const transferId = (await refundAtDashboard(t.services, referenceOf(visit), 500)) ?? '';
  const become = (state: 'PENDING' | 'SUCCEEDED') =>
    t.owner.updateTable('charges.transfer').set({ state }).where('id', '=', transferId).execute();
  const about = { reference: `dashboard.${transferId}`, transferId };
  await become('PENDING');
  await tell(about);
  await become('SUCCEEDED');
  await Promise.all([tell(about), tell(about)]);
  expect(await ledger(visit)).toEqual([2_000, -500]);
  expect(await shown(visit)).toMatchObject({ refunded: 500 });
});

test('a refund of a charge that is still pending here waits until the charge is booked', async () => {
  const visit = await paidVisit();
  await t.inOffice(office, async (tx) => {
    await tx.deleteFrom('moneyEntry').where('paymentId', '=', visit.chargeId).execute();
    const pending = { state: 'PENDING' as const, settledAt: null };
    await tx.updateTable('payment').set(pending).where('id', '=', visit.chargeId).execute();
  });
  await refundThere(visit, 500);
  expect(await ledger(visit)).toEqual([2_000, -500]);
});

test('a charge that somebody called not charged and withdrew is booked before its refund in the dashboard is', async () => {
  const visit = await unknownPayment();
  const { chargeId } = visit;
  const body = { kind: 'payment' as const, id: chargeId, happened: false };
  await t.call(transactions.resolveQuestion, { body }, { as: office });
  const withdrawal = { move: 'withdraw' as const, reason: 'The patient left' };
  await t.call(copay.voidPayment, { params: { chargeId }, body: withdrawal }, { as: office });
  expect((await shown(visit)).state).toBe('CANCELLED');
  await letProviderAnswer();
  await refundThere(visit, 500);
  expect(await ledger(visit)).toEqual([2_000, -500]);
  expect(await shown(visit)).toMatchObject({ state: 'SUCCEEDED', refunded: 500 });
});

test('a refund in the dashboard, after somebody said that the patient got the money otherwise, is one too many', async () => {
  const visit = await paidVisit();
  const refund = { id: t.services.id(), amount: 500, reason: 'Paid too much' };
  await t.call(copay.refundPayment, { params: { chargeId: visit.chargeId }, body: refund }, { as: office });
  // A person has confirmed it, the provider never made it, and the patient got cash.
  const kept = { contradiction: 'kept' as const, transferId: null, checkAt: null };
  await t.inOffice(office, (tx) => tx.updateTable('paymentRefund').set(kept).where('id', '=', refund.id).execute());
  await t.owner.deleteFrom('charges.transfer').where('reference', 'like', `%${refund.id}`).execute();
  const error = vi.spyOn(t.services.log, 'error').mockReturnValue();
  await refundThere(visit, 500);
  expect(await questions()).toMatchObject([{ kind: 'paid-twice', id: refund.id, amount: 500 }]);
  expect(error.mock.calls).toEqual([[expect.objectContaining({ alert: 'charges' }), expect.any(String)]]);
  error.mockRestore();
  // Once somebody has sorted it out, a repeated callback asks nobody again.
  await answer({ kind: 'paid-twice', id: refund.id, happened: true });
  const { transferId } = await t.inOffice(office, (tx) => tx.selectFrom('paymentRefund').select('transferId').where('id', '=', refund.id).executeTakeFirstOrThrow()); // prettier-ignore
  await tell({ reference: `dashboard.${transferId}`, transferId: transferId ?? '' });
  expect(await questions()).toEqual([]);
});

test('a patient cannot name a card that was saved before', async () => {
  const visit = await requestOn(t, office);
  const body = { paymentId: visit.chargeId, card: 'PI123456789|VISA|4242' };
  const { status } = await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  expect(status).toBe(400);
  expect((await shown(visit)).state).toBe('PENDING');
});

test('a refund of the dashboard that is pending is looked at again until it is made, and is taken back if it fails', async () => {
  const visit = await paidVisit();
  const transferId = (await refundAtDashboard(t.services, referenceOf(visit), 500)) ?? '';
  const become = (state: 'PENDING' | 'SUCCEEDED' | 'FAILED') =>
    t.owner.updateTable('charges.transfer').set({ state }).where('id', '=', transferId).execute();
  await become('PENDING');
  const about = { reference: `dashboard.${transferId}`, transferId };
  await tell(about);
  expect(await shown(visit)).toMatchObject({ refunded: 0, refunds: [{ state: 'PENDING' }] });
  // Once a day, and not in a loop.
  t.later(24 * 60);
  await checkDuePayments(t.services);
  const read = vi.spyOn(t.services.providers.charges, 'read');
  t.later(60);
  await checkDuePayments(t.services);
  expect(read).not.toHaveBeenCalledWith(transferId);
  read.mockRestore();
  await become('SUCCEEDED');
  t.later(23 * 60);
  await checkDuePayments(t.services);
  expect(await ledger(visit)).toEqual([2_000, -500]);
  await become('FAILED');
  await tell(about);
  expect(await shown(visit)).toMatchObject({ refunded: 0, refunds: [{ state: 'FAILED' }] });
  expect(await ledger(visit)).toEqual([2_000, -500, 500]);
});

test('a callback that the provider cannot explain now is not acknowledged, so it comes again', async () => {
  const visit = await paidVisit();
  const transferId = (await refundAtDashboard(t.services, referenceOf(visit), 500)) ?? '';
  await t.owner.updateTable('charges.transfer').set({ behavior: 'no-answer' }).where('id', '=', transferId).execute();
  expect(await tell({ reference: 'dashboard', transferId })).toBe(503);
  expect(await tell({ reference: 'dashboard', transferId: t.services.id() })).toBe(200);
  expect(await ledger(visit)).toEqual([2_000]);
});

test('a charge that fails after it went through is booked back, and is on the to-do list until somebody settled it', async () => {
  const visit = await paidVisit();
  const error = vi.spyOn(t.services.log, 'error').mockReturnValue();
  await bounceCharge(t.services, referenceOf(visit));
  await Promise.all([1, 2, 3].map(() => tell({ reference: referenceOf(visit) })));
  expect(await shown(visit)).toMatchObject({ state: 'CANCELLED', refunded: 2_000, hasNotice: true });
  expect(await ledger(visit)).toEqual([2_000, -2_000]);
  // The practice has not refunded anything: the patient's receipt says who has the money.
  const { body: page } = await t.call(patient.readPatientVisit, { params: { token: visit.token } }, { as: null });
  expect(page.payment).toMatchObject({ isBounced: true });
  expect(error.mock.calls).toEqual([[{ alert: 'charges', operation: visit.chargeId }, 'a charge failed later']]);
  error.mockRestore();
  const [question] = await questions();
  expect(question).toMatchObject({ kind: 'bounced', chargeId: visit.chargeId, amount: 2_000 });
  const body = { kind: 'bounced' as const, id: question?.id ?? '', happened: true };
  expect((await answer(body, await payingOffice(t))).status).toBe(404);
  expect((await Promise.all([answer(body), answer(body)])).map(({ status }) => status).sort()).toEqual([200, 409]);
  await tell({ reference: referenceOf(visit) });
  expect(await questions()).toEqual([]);
});

test('a charge that failed and went through after all is booked again, and nobody is asked', async () => {
  const visit = await paidVisit();
  await bounceCharge(t.services, referenceOf(visit));
  await tell({ reference: referenceOf(visit) });
  await t.owner.updateTable('charges.transfer').set({ state: 'SUCCEEDED' }).where('reference', '=', referenceOf(visit)).execute(); // prettier-ignore
  await Promise.all([1, 2].map(() => tell({ reference: referenceOf(visit) })));
  expect(await shown(visit)).toMatchObject({ state: 'SUCCEEDED', refunded: 0, hasNotice: false });
  expect(await ledger(visit)).toEqual([2_000, -2_000, 2_000]);
  expect(await questions()).toEqual([]);
});

test('a disputed charge is on the to-do list once, again if it is lost, and not once it is won', async () => {
  const visit = await paidVisit();
  const [charge] = await t.owner.selectFrom('charges.transfer').select('id').where('reference', '=', referenceOf(visit)).execute(); // prettier-ignore
  const report = (state: string, id = 'DI1') =>
    tell({ reference: '', transferId: charge?.id ?? '', dispute: { id, state, amountCents: 2_000 } });
  await Promise.all([report('PENDING'), report('PENDING')]);
  const [question] = await questions();
  expect([question, await shown(visit)]).toMatchObject([{ kind: 'dispute', amount: 2_000 }, { hasNotice: true }]);
  await answer({ kind: 'dispute', id: question?.id ?? '', happened: true });
  await report('PENDING');
  expect(await questions()).toEqual([]);
  await report('LOST');
  await report('PENDING');
  expect(await questions()).toMatchObject([{ kind: 'dispute' }]);
  await report('PENDING', 'DI2');
  await report('WON', 'DI2');
  expect(await questions()).toHaveLength(1);
  expect(await ledger(visit)).toEqual([2_000]);
});
