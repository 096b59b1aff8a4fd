import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { copay, transactions } from '#contract/index.ts';
import { checkDuePayments } from '#server/features/copay/index.ts';
import { localEventsPath, sendDueChargeEvents } from '#server/providers/charges/local-callbacks.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn } from '#testing/fixtures/payments.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
});
beforeEach(async () => {
  office = await payingOffice(t);
});
afterAll(() => t.close());

const post = async (url: string, payload: object) => (await t.app.inject({ method: 'POST', url, payload })).statusCode;
const play = (payload: object) => post('/dev/charges/transfers', payload);
/** Delivers the callbacks that are due. */
const deliver = () =>
  sendDueChargeEvents(t.services, async (url, headers, payload) => {
    expect(url).toBe(localEventsPath);
    return (await t.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  });
const paidWith = async (number: string) => {
  const visit = await requestOn(t, office);
  const body = { paymentId: visit.chargeId, card: await makeCard(t, number) };
  await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  await deliver();
  const state = async () =>
    (await t.call(copay.readPayment, { params: { chargeId: visit.chargeId } }, { as: office })).body;
  return { chargeId: visit.chargeId, reference: `${office.id}.${visit.chargeId}`, state };
};
const kinds = async () =>
  (await t.call(transactions.listOpenQuestions, {}, { as: office })).body.questions.map(({ kind }) => kind);

test('a transfer that the provider loses becomes unknown, and is found again', async () => {
  const { reference, state } = await paidWith('4000000000000119');
  expect((await state()).state).toBe('PENDING');
  expect(await play({ reference, reports: 6 })).toBe(200);
  await deliver();
  expect((await state()).state).toBe('UNKNOWN');
  expect(await play({ reference, answers: true })).toBe(200);
  await deliver();
  expect((await state()).state).toBe('SUCCEEDED');
});

test('a refund that the provider loses is unknown after six look-ups, also of callbacks that come at once', async () => {
  const { chargeId, reference, state } = await paidWith('4242424242424242');
  await play({ reference, answers: false, reports: 0 });
  const body = { id: t.services.id(), amount: 500, reason: 'Copay was too high' };
  await t.call(copay.refundPayment, { params: { chargeId }, body }, { as: office });
  expect((await state()).refunds).toMatchObject([{ state: 'PENDING' }]);
  await play({ reference: `${office.id}.${body.id}`, reports: 6 });
  await deliver();
  expect((await state()).refunds).toMatchObject([{ state: 'UNKNOWN' }]);
  expect(await kinds()).toEqual(['refund']);
});

test('a pending transfer ends as the bank says, and other offices see nothing of it', async () => {
  const [canceled, failed] = [await paidWith('4000000000000077'), await paidWith('4000000000000077')];
  await play({ reference: canceled.reference, state: 'CANCELED' });
  await play({ reference: failed.reference, state: 'FAILED', reports: 0 });
  await deliver();
  expect([(await canceled.state()).state, (await failed.state()).state]).toEqual(['CANCELLED', 'PENDING']);
  await play({ reference: failed.reference });
  await deliver();
  expect(await failed.state()).toMatchObject({ state: 'FAILED', failure: 'INSUFFICIENT_FUNDS' });
  const [other, params] = [await payingOffice(t), { chargeId: failed.chargeId }];
  expect((await t.call(copay.readPayment, { params }, { as: other })).status).toBe(404);
});

test('the practice software loses its answer, and then records again', async () => {
  expect(await post('/dev/practice-software', { practice: office.npi, mode: 'no-answer' })).toBe(200);
  const lost = await paidWith('4242424242424242');
  await checkDuePayments(t.services);
  expect((await lost.state()).recording).toBe('unknown');
  expect(await kinds()).toEqual(['recording']);
  expect(await post('/dev/practice-software', { practice: office.npi, mode: null })).toBe(200);
  const recorded = await paidWith('4242424242424242');
  await checkDuePayments(t.services);
  expect((await recorded.state()).recording).toBe('recorded');
});

test('a transfer that does not exist, and what makes no sense, is refused', async () => {
  expect(await play({ reference: `${office.id}.${t.services.id()}` })).toBe(404);
  for (const wrong of [{}, { reference: 'x', state: 'PAID' }, { reference: 'x', reports: 11 }, { reference: 7 }])
    expect(await play(wrong), JSON.stringify(wrong)).toBe(400);
  expect(await post('/dev/practice-software', { practice: office.npi, mode: 'slow' })).toBe(400);
});

test('the practice software is switched only for practices that exist', async () => {
  expect(await post('/dev/practice-software', { practice: '1999999984', mode: 'refuse' })).toBe(404);
  expect(await post('/dev/practice-software', { practice: 'x', mode: 'refuse' })).toBe(400);
});

test.each([
  ['/dev/charges/transfers', '198.51.100.1'],
  ['/dev/practice-software', '198.51.100.2'],
  ['/dev/card/days', '198.51.100.3'],
])('a network that presses %s without end is slowed down', async (url, remoteAddress) => {
  const press = async () => (await t.app.inject({ method: 'POST', url, payload: {}, remoteAddress })).statusCode;
  const answers = await Promise.all(Array.from({ length: 301 }, press));
  expect(answers.filter((status) => status === 429)).toHaveLength(1);
});
