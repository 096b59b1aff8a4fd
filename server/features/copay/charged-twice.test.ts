import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { copay, queue, transactions } from '#contract/index.ts';
import { ChargesUnavailable } from '#server/providers/charges/port.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { checkDuePayments } from './jobs.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.owner.deleteFrom('rateLimit').execute();
  t.at('2026-03-02T15:00:00.000Z');
  office = await payingOffice(t);
});

const good = '4242424242424242';
const declined = '4000000000000002';
const noAnswer = '4000000000000119';
const pay = async ({ token }: PayingVisit, paymentId: string, card = good) => {
  const body = { paymentId, card: await makeCard(t, card) };
  return (await t.call(copay.payCopay, { params: { token }, body }, { as: null })).body;
};
const shown = async (chargeId: string) =>
  (await t.call(copay.readPayment, { params: { chargeId } }, { as: office })).body;
const questions = async (as = office) => (await t.call(transactions.listOpenQuestions, {}, { as })).body.questions;
const count = async () => (await t.call(transactions.countOpenQuestions, {}, { as: office })).body.count;
const answer = (
  body: { kind: 'payment' | 'charged-twice'; id: string; happened: boolean; amount?: number },
  as = office,
) => t.call(transactions.resolveQuestion, { body }, { as });
const refund = (chargeId: string, amount: number) => {
  const body = { id: t.services.id(), amount, reason: 'Paid twice' };
  return t.call(copay.refundPayment, { params: { chargeId }, body }, { as: office });
};
const requestAgain = async ({ id }: PayingVisit, cents: number) =>
  (await t.call(copay.requestPayment, { body: { visitId: id, copay: cents } }, { as: office })).body.chargeId;
const mark = async ({ id }: PayingVisit) =>
  (await t.call(queue.listQueue, { query: {} }, { as: office })).body.find((visit) => visit.id === id)?.paymentResponse
    ?.chargedTwice;
const runJobs = async (minutes: number) => {
  t.later(minutes);
  while (await checkDuePayments(t.services));
};
const callBack = (id: string) =>
  sendChargeEvent(
    t.services,
    async (path, headers, payload) => (await t.app.inject({ method: 'POST', url: path, headers, payload })).statusCode,
    { id: t.services.id(), type: 'transfer.updated', reference: `${office.id}.${id}` },
  );
/** The provider reports a charge that it said nothing about before. */
const report = async (id: string) => {
  await t.owner
    .updateTable('charges.transfer')
    .set({ behavior: 'ok' })
    .where('reference', '=', `${office.id}.${id}`)
    .execute();
  await Promise.all([callBack(id), callBack(id)]);
};

/** A payment whose outcome nobody learned, and that somebody calls not charged, although it was. */
async function calledNotCharged(): Promise<PayingVisit> {
  const visit = await requestOn(t, office);
  await pay(visit, visit.chargeId, noAnswer);
  for (let i = 0; i < 6; i++) await runJobs(15);
  await answer({ kind: 'payment', id: visit.chargeId, happened: false });
  expect((await shown(visit.chargeId)).state).toBe('FAILED');
  return visit;
}

/** The same, and the patient has paid once more. */
async function paidTwice(): Promise<{ visit: PayingVisit; first: string; second: string }> {
  const visit = await calledNotCharged();
  const { id: second, state } = await pay(visit, visit.chargeId);
  expect(state).toBe('SUCCEEDED');
  await report(visit.chargeId);
  return { visit, first: visit.chargeId, second };
}

test('a payment called not charged that was charged after all, and was paid once more, is on the to-do list', async () => {
  const error = vi.spyOn(t.services.log, 'error').mockReturnValue();
  const { visit, first, second } = await paidTwice();
  expect(await questions()).toMatchObject([
    {
      kind: 'charged-twice',
      id: first,
      visitId: visit.id,
      amount: 2_000,
      charges: [
        { chargeId: first, amount: 2_000 },
        { chargeId: second, amount: 2_000 },
      ],
    },
  ]);
  expect(await count()).toBe(1);
  expect(await mark(visit)).toBe(true);
  expect([(await shown(first)).chargedTwice, (await shown(second)).chargedTwice]).toEqual([true, true]);
  expect(error.mock.calls).toEqual([[{ alert: 'charges', operation: first }, 'a patient paid one request twice']]);
  error.mockRestore();
});

test.each([0, 1])('refunding payment %i of two ends the question', async (which) => {
  const { visit, first, second } = await paidTwice();
  await refund([first, second][which] ?? '', 500);
  expect(await questions()).toMatchObject([{ kind: 'charged-twice', amount: 1_500 }]);
  await refund([first, second][which] ?? '', 1_500);
  expect((await questions()).filter(({ kind }) => kind === 'charged-twice')).toEqual([]);
  expect(await mark(visit)).toBe(false);
});

test('a void of one of two payments ends the question', async () => {
  const { second } = await paidTwice();
  const body = { move: 'void' as const, reason: 'Paid twice' };
  await t.call(copay.voidPayment, { params: { chargeId: second }, body }, { as: office });
  expect(await questions()).toEqual([]);
});

test('somebody of the office says that both are right, once, and the audit log has it', async () => {
  const { visit, first } = await paidTwice();
  const stranger = await payingOffice(t);
  const body = { kind: 'charged-twice' as const, id: first, happened: true, amount: 2_000 };
  expect((await answer(body, stranger)).status).toBe(404);
  expect((await answer({ ...body, amount: 500 })).status).toBe(409);
  const statuses = (await Promise.all([answer(body), answer(body)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409]);
  expect(await questions()).toEqual([]);
  expect(await mark(visit)).toBe(false);
  const entries = (await t.auditEntries(office)).filter(({ details }) =>
    JSON.stringify(details).includes('chargedTwice'),
  );
  expect(entries.map(({ action, details }) => [action, details])).toMatchObject([
    ['payment.settle', { chargedTwice: true, cents: 2_000 }],
    ['payment.resolve', { chargedTwice: false, cents: 2_000 }],
  ]);
});

test('a payment that the desk requested again after a wrong answer is asked about too', async () => {
  const visit = await calledNotCharged();
  const again = await requestAgain(visit, 3_000);
  await pay(visit, again);
  await report(visit.chargeId);
  expect(await questions()).toMatchObject([{ kind: 'charged-twice', id: visit.chargeId, amount: 2_000 }]);
});

test('a second request of the desk after a charged payment is nobody’s mistake', async () => {
  const visit = await requestOn(t, office);
  await pay(visit, visit.chargeId);
  await pay(visit, await requestAgain(visit, 2_000));
  expect(await questions()).toEqual([]);
  expect(await mark(visit)).toBe(false);
});

test('a try after a declined card is nobody’s mistake', async () => {
  const visit = await requestOn(t, office);
  await pay(visit, visit.chargeId, declined);
  expect((await pay(visit, visit.chargeId)).state).toBe('SUCCEEDED');
  await runJobs(61);
  expect(await questions()).toEqual([]);
});

test('two payments of one request that are reported at the same time are asked about', async () => {
  const visit = await calledNotCharged();
  const { id: second } = await pay(visit, visit.chargeId, noAnswer);
  for (let i = 0; i < 6; i++) await runJobs(15);
  await answer({ kind: 'payment', id: second, happened: false });
  await Promise.all([report(visit.chargeId), report(second)]);
  expect(await questions()).toMatchObject([{ kind: 'charged-twice', id: visit.chargeId, amount: 2_000 }]);
});

test('nobody is asked to pay again once the provider reports the first payment', async () => {
  const visit = await calledNotCharged();
  const again = await requestAgain(visit, 2_000);
  await report(visit.chargeId);
  expect(await shown(again)).toMatchObject({ state: 'CANCELLED', endReason: 'charged before' });
  expect(await pay(visit, again)).toMatchObject({ state: 'CANCELLED' });
  expect((await shown(visit.chargeId)).state).toBe('SUCCEEDED');
});

test('a failed second try cannot be repeated once the provider reports the first payment', async () => {
  const visit = await calledNotCharged();
  const { id: second } = await pay(visit, visit.chargeId, declined);
  await report(visit.chargeId);
  expect(await pay(visit, second)).toMatchObject({ id: second, state: 'CANCELLED' });
  expect(await questions()).toEqual([]);
});

test('a second try that fails after the provider reported the first payment cannot be repeated', async () => {
  const visit = await calledNotCharged();
  const { charges } = t.services.providers;
  const away = vi.spyOn(charges, 'charge').mockRejectedValue(new ChargesUnavailable());
  const { id: second, state } = await pay(visit, visit.chargeId);
  expect(state).toBe('PENDING');
  await report(visit.chargeId);
  await runJobs(15);
  away.mockRestore();
  expect(await shown(second)).toMatchObject({ state: 'CANCELLED', endReason: 'charged before' });
  expect(await pay(visit, second)).toMatchObject({ id: second, state: 'CANCELLED' });
  expect(await questions()).toEqual([]);
});

test('a second try that was claimed and not sent yet is stopped by the report of the first payment', async () => {
  const visit = await calledNotCharged();
  const { charges } = t.services.providers;
  // The process dies between the claim and the call.
  const died = vi.spyOn(charges, 'charge').mockImplementationOnce(() => new Promise(() => undefined));
  void pay(visit, visit.chargeId);
  await vi.waitFor(() => expect(died).toHaveBeenCalledOnce());
  const second = (await shown(visit.chargeId)).otherPayments[0]?.chargeId ?? '';
  await report(visit.chargeId);
  await runJobs(2);
  expect(died).toHaveBeenCalledOnce();
  died.mockRestore();
  expect(await shown(second)).toMatchObject({ state: 'CANCELLED', endReason: 'charged before' });
  expect(await questions()).toEqual([]);
});

test('a charge that a person confirmed, that was taken back and requested again, is asked about if it arrives after all', async () => {
  const visit = await requestOn(t, office);
  await pay(visit, visit.chargeId, noAnswer);
  for (let i = 0; i < 6; i++) await runJobs(15);
  const reference = `${office.id}.${visit.chargeId}`;
  await answer({ kind: 'payment', id: visit.chargeId, happened: true });
  // The provider does not have it yet: the call is on its way.
  await t.owner.updateTable('charges.transfer').set({ reference: 'away' }).where('reference', '=', reference).execute();
  await runJobs(61);
  const again = await requestAgain(visit, 2_000);
  await pay(visit, again);
  await t.owner.updateTable('charges.transfer').set({ reference }).where('reference', '=', 'away').execute();
  await report(visit.chargeId);
  expect((await questions()).filter(({ kind }) => kind === 'charged-twice')).toMatchObject([{ amount: 2_000 }]);
});

test('a request that is sent twice with one key is one request, and both get its answer', async () => {
  const { id: visitId } = await t.visit({ office });
  const send = (copayCents: number) =>
    t.call(
      copay.requestPayment,
      { body: { visitId, copay: copayCents } },
      { as: office, headers: { 'idempotency-key': 'one' } },
    );
  const answers = await Promise.all([send(2_000), send(2_000)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body.chargeId).toBe(answers[1]?.body.chargeId);
  expect((await send(3_000)).status).toBe(422);
});
