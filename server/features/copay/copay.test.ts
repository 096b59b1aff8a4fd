import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { copay, patient, queue, transactions } from '#contract/index.ts';
import { textLimits } from '#contract/texting.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { hintChannel, type Hint } from '#server/kit/live/hint.ts';
import { sendChargeEvent, localEventsPath } from '#server/providers/charges/local-callbacks.ts';
import { settleLocalTransfer } from '#server/providers/charges/local.ts';
import { noCharges } from '#server/providers/charges/off.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { checkDuePayments } from './jobs.ts';

let t: TestApp;
let office: TestOffice;
beforeAll(async () => {
  t = await openTestApp();
  office = await payingOffice(t);
});
afterAll(() => t.close());
beforeEach(() => t.owner.deleteFrom('rateLimit').execute());

const pay = (visit: PayingVisit, card: string, options = {}) =>
  t.call(copay.payCopay, { params: { token: visit.token }, body: { paymentId: visit.chargeId, card } }, { as: null, ...options }); // prettier-ignore
const entry = async (visit: PayingVisit) =>
  (await t.call(queue.listQueue, { query: {} }, { as: office })).body.find(({ id }) => id === visit.id)
    ?.paymentResponse;
const textsOf = async ({ id }: { id: string }) => (await t.texts(office)).filter(({ visitId }) => visitId === id);
const shown = async (visit: PayingVisit) =>
  (await t.call(copay.readPayment, { params: { chargeId: visit.chargeId } }, { as: office })).body;
const transfers = (visit: PayingVisit) =>
  t.owner.selectFrom('charges.transfer').selectAll().where('reference', 'like', `%.${visit.chargeId}`).execute();
const runJobs = async (minutes = 2) => {
  t.later(minutes);
  await checkDuePayments(t.services);
};

describe('a request', () => {
  test('the desk requests a copay, and the queue and the phone show it', async () => {
    const visit = await requestOn(t, office, { copay: 2_500 });
    expect(await entry(visit)).toMatchObject({
      state: 'PENDING',
      amount: 2_500,
      chargeId: visit.chargeId,
      requested: true,
    });
    const page = await t.call(patient.readPatientVisit, { params: { token: visit.token } }, { as: null });
    expect(page.body.payment).toMatchObject({ id: visit.chargeId, amount: 2_500, state: 'REQUESTED' });
  });

  test('ten presses at once request once', async () => {
    const visit = await t.visit({ office });
    const body = { visitId: visit.id, copay: 1_000 };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => t.call(copay.requestPayment, { body }, { as: office })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await textsOf(visit)).toHaveLength(1);
  });

  test('the patient is texted a link, and pays with it', async () => {
    const visit = await t.visit({ office, language: 'es' });
    const { body } = await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 1_500 } }, { as: office });
    expect(body.text).toMatchObject({ state: 'queued', problem: null });
    const [text] = await textsOf(visit);
    expect(text?.sent).toMatch(/^Maple Street Pediatrics: su copago de hoy es \$15\.00\. Pague en: http/);
    expect(text?.body).not.toMatch(/http/);
    const token = /\/visit\/([\w-]+)$/.exec(text?.sent ?? '')?.[1] ?? '';
    const paid = await pay({ ...visit, token, unproved: '', chargeId: body.chargeId }, await makeCard(t));
    expect(paid.body.state).toBe('SUCCEEDED');
  });

  test('opening the card form is audited', async () => {
    const visit = await requestOn(t, office);
    await t.call(copay.openCardForm, { params: { token: visit.token } }, { as: null });
    const [last] = (await t.auditEntries(office)).slice(-1);
    expect(last).toMatchObject({ action: 'payment.form', subject: visit.id, details: { payment: visit.chargeId } });
  });

  test('a request to a number that opted out stands, and the desk learns that nobody was texted', async () => {
    const visit = await t.visit({ office });
    const stop = { officeId: office.id, id: t.services.id(), phone: visit.username, at: t.now() };
    await t.inOffice(office, (tx) => tx.insertInto('optOut').values(stop).execute());
    const { body } = await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 1_500 } }, { as: office });
    expect(body).toMatchObject({ requested: true, text: { state: 'failed', problem: 'opted-out' } });
  });

  test('beyond a limit of texts the request stands, and the text is held back', async () => {
    const visit = await t.visit({ office });
    const { perNumber } = textLimits;
    const key = rateLimitKey(perNumber, `${office.id} ${visit.username}`);
    const points = perNumber.points;
    await t.owner
      .insertInto('rateLimit')
      .values({ key, points, expire: t.now().getTime() + 600_000 })
      .execute();
    const { body } = await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 1_500 } }, { as: office });
    const limitedUntil = new Date(t.now().getTime() + 600_000).toISOString();
    expect(body).toMatchObject({ requested: true, text: { state: 'held', problem: 'number-hour', limitedUntil } });
  });

  test('without a payment provider the card form says that there is none', async () => {
    const visit = await requestOn(t, office);
    const { charges } = t.services.providers;
    t.services.providers.charges = { ...noCharges(), name: charges.name };
    const { status, body } = await t.call(copay.openCardForm, { params: { token: visit.token } }, { as: null });
    t.services.providers.charges = charges;
    expect([status, body.code]).toEqual([503, 'merchant_away']);
  });

  test('an unproved link shows only that there is a payment, and cannot pay it', async () => {
    const visit = await requestOn(t, office);
    const page = await t.call(patient.readPatientVisit, { params: { token: visit.unproved } }, { as: null });
    expect(page.body).toMatchObject({ payment: null });
    const { status, body } = await pay({ ...visit, token: visit.unproved }, await makeCard(t));
    expect([status, body.code]).toEqual([403, 'link_not_proved']);
  });

  test('an office without a payment identity cannot request a payment', async () => {
    const visit = await t.visit();
    const { status, body } = await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 1_000 } });
    expect([status, body.code]).toEqual([409, 'no_payments']);
  });

  test.each([0, 49, 1_000_001])('an amount of %i cents is refused', async (amount) => {
    const visit = await t.visit({ office });
    const { status } = await t.call(
      copay.requestPayment,
      { body: { visitId: visit.id, copay: amount } },
      { as: office },
    );
    expect(status).toBe(400);
  });

  test('a withdrawn request can no longer be paid', async () => {
    const visit = await requestOn(t, office);
    const body = { move: 'withdraw' as const, reason: 'Insurance covers it' };
    const params = { chargeId: visit.chargeId };
    expect((await t.call(copay.voidPayment, { params, body }, { as: office })).body.state).toBe('CANCELLED');
    expect((await pay(visit, await makeCard(t))).body.state).toBe('CANCELLED');
    expect(await transfers(visit)).toHaveLength(0);
  });

  test('the text of a withdrawn request goes out no more, and other texts about the visit do', async () => {
    const visit = await t.visit({ office });
    const asked = await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 1_500 } }, { as: office });
    const message = { params: { userCode: visit.patientUserCode }, body: { body: 'See you soon', visitId: visit.id } };
    await t.call(queue.messagePatient, message, { as: office });
    const body = { move: 'withdraw' as const, reason: 'Insurance covers it' };
    await t.call(copay.voidPayment, { params: { chargeId: asked.body.chargeId }, body }, { as: office });
    const texts = (await textsOf(visit)).map(({ kind, state, sent }) => ({ kind, state, hasLink: /http/.test(sent) }));
    expect(texts).toEqual([
      { kind: 'payment', state: 'cancelled', hasLink: false },
      { kind: 'message', state: 'queued', hasLink: false },
    ]);
  });

  test('the text of a request goes out no more when the patient has paid on an open page', async () => {
    const visit = await requestOn(t, office);
    expect((await pay(visit, await makeCard(t, '4000000000000002'))).body.state).toBe('FAILED');
    expect(await textsOf(visit)).toMatchObject([{ kind: 'payment', state: 'queued' }]);
    const again = await requestOn(t, office);
    expect((await pay(again, await makeCard(t))).body.state).toBe('SUCCEEDED');
    expect(await textsOf(again)).toMatchObject([{ kind: 'payment', state: 'cancelled' }]);
  });

  test('the text of a request goes out no more when the desk withdraws a later try', async () => {
    const visit = await requestOn(t, office);
    let { chargeId } = visit;
    for (let i = 0; i < 2; i++)
      chargeId = (await pay({ ...visit, chargeId }, await makeCard(t, '4000000000000002'))).body.id;
    const body = { move: 'withdraw' as const, reason: 'Paid in cash' };
    expect((await t.call(copay.voidPayment, { params: { chargeId }, body }, { as: office })).status).toBe(200);
    expect(await textsOf(visit)).toMatchObject([{ kind: 'payment', state: 'cancelled' }]);
  });

  test('each change of a payment sends a hint to the list of payments, and a move of a visit sends none', async () => {
    const client = await t.services.pool.connect();
    const hints: Hint[] = [];
    client.on('notification', ({ payload }) => void hints.push(JSON.parse(payload ?? '') as Hint));
    await client.query(`listen ${hintChannel}`);
    const visit = await t.visit({ office });
    await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
    await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 1_500 } }, { as: office });
    await expect.poll(() => hints.filter(({ type }) => type === 'payment'), { timeout: 20_000 }).toHaveLength(1);
    expect(hints.find(({ type }) => type === 'payment')).toEqual({ office: office.id, type: 'payment' });
    client.release(true);
  });

  test("another office's payment is not found", async () => {
    const visit = await requestOn(t, office);
    const stranger = await payingOffice(t);
    const params = { chargeId: visit.chargeId };
    for (const reply of [
      await t.call(copay.readPayment, { params }, { as: stranger }),
      await t.call(copay.voidPayment, { params, body: { move: 'void', reason: 'Mine now' } }, { as: stranger }),
      await t.call(
        copay.refundPayment,
        { params, body: { id: t.services.id(), amount: 1, reason: 'Mine' } },
        { as: stranger },
      ),
      await t.call(copay.recordInAthena, { body: params }, { as: stranger }),
      await t.call(copay.requestPayment, { body: { visitId: visit.id, copay: 500 } }, { as: stranger }),
    ])
      expect(reply.status).toBe(404);
    expect((await shown(visit)).state).toBe('PENDING');
    expect(await textsOf(visit)).toHaveLength(1);
    expect(await t.texts(stranger)).toEqual([]);
  });
});

describe('paying', () => {
  test('a good card is charged, and the patient has a receipt', async () => {
    const visit = await requestOn(t, office, { copay: 2_500 });
    const { body } = await pay(visit, await makeCard(t));
    expect(body).toMatchObject({ state: 'SUCCEEDED', amount: 2_500, cardBrand: 'Visa', cardLast4: '4242' });
    expect(body.transferId).toBe((await transfers(visit))[0]?.id);
    expect(await entry(visit)).toMatchObject({ state: 'SUCCEEDED', requested: false });
  });

  test('ten presses at once, from two tabs, charge once', async () => {
    const visit = await requestOn(t, office);
    const cards = await Promise.all([makeCard(t), makeCard(t)]);
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => pay(visit, cards[i % 2] ?? '')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await transfers(visit)).toHaveLength(1);
    expect((await pay(visit, await makeCard(t))).body.state).toBe('SUCCEEDED');
    expect(await transfers(visit)).toHaveLength(1);
  });

  test('a declined card charges nothing, is shown as failed, and another card can be tried', async () => {
    const visit = await requestOn(t, office);
    const declined = await pay(visit, await makeCard(t, '4000000000000002'));
    expect(declined.body).toMatchObject({ state: 'FAILED', failure: 'declined' });
    expect(await entry(visit)).toMatchObject({ state: 'FAILED' });
    const again = await pay(visit, await makeCard(t));
    expect(again.body.state).toBe('SUCCEEDED');
    expect(again.body.id).not.toBe(visit.chargeId);
    // The page that still shows the failed try pays nothing more.
    expect((await pay(visit, await makeCard(t))).body.id).toBe(again.body.id);
  });

  test('a payment that the provider refuses before asking the bank is not called declined', async () => {
    const visit = await requestOn(t, office);
    const { body } = await pay(visit, 'no-card-of-the-form');
    expect(body).toMatchObject({ state: 'FAILED', failure: 'not-sent' });
  });

  test('a lost answer is looked up, and the card is charged once', async () => {
    const visit = await requestOn(t, office);
    expect((await pay(visit, await makeCard(t, '4000000000000101'))).body.state).toBe('SUCCEEDED');
    expect(await transfers(visit)).toHaveLength(1);
  });

  test('a claim whose process was killed before the call is sent once by the job', async () => {
    const visit = await requestOn(t, office);
    const card = await makeCard(t);
    const at = t.now();
    await t.inOffice(office, (tx) =>
      tx
        .updateTable('payment')
        .set({ state: 'PENDING', source: card, claimedAt: at, checkAt: at })
        .where('id', '=', visit.chargeId)
        .execute(),
    );
    expect((await pay(visit, await makeCard(t))).body.state).toBe('PENDING');
    await Promise.all([runJobs(), runJobs(0), runJobs(0)]);
    expect((await shown(visit)).state).toBe('SUCCEEDED');
    expect(await transfers(visit)).toHaveLength(1);
  });

  test('a claim that is found an hour later without a transfer has failed, and nothing is charged', async () => {
    const visit = await requestOn(t, office);
    const at = t.now();
    await t.inOffice(office, (tx) =>
      tx
        .updateTable('payment')
        .set({ state: 'PENDING', source: t.services.id(), claimedAt: at, checkAt: at })
        .where('id', '=', visit.chargeId)
        .execute(),
    );
    await runJobs(60);
    expect(await shown(visit)).toMatchObject({ state: 'FAILED', failure: 'not-sent' });
  });

  test('an outcome that nobody can tell goes on the to-do list, and a person resolves it', async () => {
    const visit = await requestOn(t, office);
    expect((await pay(visit, await makeCard(t, '4000000000000119'))).body.state).toBe('PENDING');
    for (let i = 0; i < 6; i++) await runJobs(15);
    expect((await shown(visit)).state).toBe('UNKNOWN');
    const list = async () => (await t.call(transactions.listOpenQuestions, {}, { as: office })).body.questions;
    const reference = `${office.id}.${visit.chargeId}`;
    expect(await list()).toMatchObject([{ kind: 'payment', id: visit.chargeId, amount: 2_000, reference }]);
    const count = async (as = office) => (await t.call(transactions.countOpenQuestions, {}, { as })).body;
    expect([await count(), await count(await payingOffice(t))]).toEqual([{ count: 1 }, { count: 0 }]);
    expect((await pay(visit, await makeCard(t))).body.state).toBe('UNKNOWN');
    expect(await transfers(visit)).toHaveLength(1);
    const answer = { kind: 'payment' as const, id: visit.chargeId, happened: true };
    expect((await t.call(transactions.resolveQuestion, { body: answer }, { as: await payingOffice(t) })).status).toBe(
      404,
    );
    expect((await t.call(transactions.resolveQuestion, { body: answer }, { as: office })).body.questions).toEqual([]);
    expect((await shown(visit)).state).toBe('SUCCEEDED');
    expect((await t.call(transactions.resolveQuestion, { body: answer }, { as: office })).status).toBe(409);
  });

  test('a payment that the provider calls unknown stays on the to-do list until it can tell', async () => {
    const visit = await requestOn(t, office);
    await pay(visit, await makeCard(t, '4000000000000077'));
    const { charges } = t.services.providers;
    const { find } = charges;
    onTestFinished(() => void (charges.find = find));
    charges.find = async (reference) => {
      const found = await find(reference);
      return found && { ...found, state: 'UNKNOWN' };
    };
    for (let i = 0; i < 7; i++) await runJobs(61);
    expect((await shown(visit)).state).toBe('UNKNOWN');
    await runJobs(61);
    charges.find = find;
    const { questions } = (await t.call(transactions.listOpenQuestions, {}, { as: office })).body;
    expect(questions.map(({ id }) => id)).toContain(visit.chargeId);
    await runJobs(61);
    expect((await shown(visit)).state).toBe('PENDING');
  });

  test('the stand-in takes test cards only: a number that may be real has no token, whatever its check digit', async () => {
    const post = (number: string) => t.app.inject({ method: 'POST', url: '/charges/cards', payload: { number } });
    for (const number of ['4539578763621486', '5105105105105100', '4242424242424241', ''])
      expect((await post(number)).statusCode, number).toBe(400);
    expect((await post('4242 4242 4242 4242')).statusCode).toBe(200);
  });

  test('a visit has six tries an hour', async () => {
    const visit = await requestOn(t, office);
    let { chargeId } = visit;
    for (let i = 0; i < 6; i++)
      chargeId = (await pay({ ...visit, chargeId }, await makeCard(t, '4000000000000002'))).body.id;
    const { status, body } = await pay({ ...visit, chargeId }, await makeCard(t));
    expect([status, body.code]).toEqual([429, 'too_many_tries']);
  });
});

describe('callbacks of the payment provider', () => {
  const post = async (path: string, headers: Record<string, string>, payload: string) =>
    (await t.app.inject({ method: 'POST', url: path, headers, payload })).statusCode;
  const send = (visit: PayingVisit, type = 'transfer.updated') =>
    sendChargeEvent(t.services, post, { id: t.services.id(), type, reference: `${office.id}.${visit.chargeId}` });

  test('a pending charge settles by its callback, 20 times at once, and is booked once', async () => {
    const visit = await requestOn(t, office);
    expect((await pay(visit, await makeCard(t, '4000000000000077'))).body.state).toBe('PENDING');
    expect(await send(visit, 'transfer.created')).toBe(200);
    await settleLocalTransfer(t.services, `${office.id}.${visit.chargeId}`, 'SUCCEEDED');
    const statuses = await Promise.all(Array.from({ length: 20 }, () => send(visit)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await send(visit, 'transfer.created');
    expect((await shown(visit)).state).toBe('SUCCEEDED');
    const entries = await t.inOffice(office, (tx) =>
      tx.selectFrom('moneyEntry').select('amountCents').where('paymentId', '=', visit.chargeId).execute(),
    );
    expect(entries).toEqual([{ amountCents: 2_000 }]);
  });

  test.each(['FAILED', 'CANCELED'] as const)('a pending charge that ends as %s is shown so', async (state) => {
    const visit = await requestOn(t, office);
    await pay(visit, await makeCard(t, '4000000000000077'));
    await settleLocalTransfer(t.services, `${office.id}.${visit.chargeId}`, state);
    await send(visit);
    expect((await shown(visit)).state).toBe(state === 'FAILED' ? 'FAILED' : 'CANCELLED');
  });

  test('a callback without our signature, or for another provider, is refused', async () => {
    const body = JSON.stringify({ id: '1', type: 'transfer.updated', reference: 'x' });
    expect(await post(localEventsPath, { 'content-type': 'application/json' }, body)).toBe(403);
    expect(await post('/api/payments/charges/events/other', { 'content-type': 'application/json' }, body)).toBe(404);
  });
});

test('a charge whose process died between the card and the transfer is sent again with the saved card, within two minutes', async () => {
  const visit = await requestOn(t, office);
  const { charges } = t.services.providers;
  const sources: string[] = [];
  const charge = vi.spyOn(charges, 'charge').mockImplementation(async ({ source, saveSource }) => {
    sources.push(source);
    await saveSource?.('PI1|Visa|4242');
    return new Promise(() => undefined);
  });
  const body = { paymentId: visit.chargeId, card: await makeCard(t) };
  void t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  await vi.waitFor(async () => {
    const row = await t.inOffice(office, (tx) => tx.selectFrom('payment').select('source').where('id', '=', visit.chargeId).executeTakeFirst()); // prettier-ignore
    expect(row?.source).toBe('PI1|Visa|4242');
  });
  t.later(2);
  void checkDuePayments(t.services);
  await vi.waitFor(() => expect(sources).toEqual([body.card, 'PI1|Visa|4242']));
  charge.mockRestore();
});
