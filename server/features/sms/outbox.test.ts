import { afterAll, beforeEach, expect, test } from 'vitest';
import { conversationMessages, conversations, queue, sms, smsCheckin } from '#contract/index.ts';
import type { TextState } from '#contract/queue.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import {
  addText,
  carrierReports,
  patientTexts,
  releaseHeldTexts,
  sendDueTexts,
  textOfVisit,
  textRow,
  textsTakenByCarrier,
  withCarrier,
} from '#testing/fixtures/texts.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** A practice of its own for each test, a week later: no test uses up the minutes or the limits of another. */
let desk: TestOffice;
beforeEach(async () => {
  testApp.later(7 * 24 * 60);
  await sendDueTexts(testApp.services);
  desk = await testApp.office();
});
/** A call of the practice's desk. */
const call: TestApp['call'] = (e, input, options = {}) => testApp.call(e, input, { as: desk, ...options });

const phone = '+16465550111';
const inMinutes = (minutes: number) => new Date(testApp.now().getTime() + minutes * 60_000).toISOString();
const outbox = async (query: Parameters<typeof list>[0] = {}) => (await list(query)).body;
const list = (query: { state?: 'scheduled' | 'failed'; before?: string }) => call(sms.listOutbox, { query });
async function schedule(to = phone, minutes = 60): Promise<string> {
  const deliveryOptions = [{ phoneNumber: to, sendAt: inMinutes(minutes) }];
  const sent = await call(sms.sendSms, { body: { message: 'See you soon', deliveryOptions } });
  return sent.body.textIds[0] as string;
}
/** As if the carrier, or the job, had moved the text. */
const setState = (id: string, state: TextState, errorClass: 'delivery' | 'bad-number' | null = null) =>
  testApp.inOffice(desk, (tx) => tx.updateTable('text').set({ state, errorClass }).where('id', '=', id).execute());
const at = (textId: string) => ({ params: { textId } });

test('the outbox shows each text with its state, the latest first', async () => {
  const visit = await testApp.visit({ office: desk, moves: ['invite'] });
  const id = await schedule(visit.username);
  const { texts, counts, next } = await outbox();
  expect(texts[0]).toMatchObject({
    id,
    phone: visit.username,
    name: 'Ada Byron',
    body: 'See you soon',
    state: 'scheduled',
    actions: ['change', 'cancel'],
  });
  expect(texts[1]).toMatchObject({ state: 'scheduled', actions: ['cancel'] });
  expect(texts[1]?.body).not.toMatch(/visit\/[A-Za-z0-9_-]{22}/);
  expect(counts).toEqual({ scheduled: 2 });
  expect(next).toBeNull();
});

test('a text is sent, then delivered', async () => {
  const id = await schedule();
  testApp.later(60);
  await sendDueTexts(testApp.services);
  expect((await outbox()).texts).toMatchObject([{ id, state: 'sent', actions: [] }]);
  testApp.later(1);
  await carrierReports(testApp);
  expect((await outbox()).texts).toMatchObject([{ id, state: 'delivered' }]);
  expect((await call(sms.readTextOutcome, at(id))).body).toEqual({
    id,
    state: 'delivered',
    problem: null,
    limitedUntil: null,
  });
});

test('a text to a number that opts out is stopped', async () => {
  await schedule();
  await patientTexts(testApp, phone, 'STOP', { office: desk });
  // Below it is the confirmation of STOP.
  expect((await outbox()).texts).toMatchObject([
    { state: 'stopped', actions: [] },
    { state: 'scheduled', actions: [] },
  ]);
  expect((await outbox({ state: 'failed' })).texts).toEqual([]);
});

test('pages follow one another without a gap', async () => {
  const numbers = Array.from({ length: 60 }, (_, i) => ({ phoneNumber: `+1646555${2000 + i}`, sendAt: inMinutes(60) }));
  await call(sms.sendSms, { body: { message: 'Hello', deliveryOptions: numbers } });
  const first = await outbox();
  const second = await outbox({ before: first.next as string });
  expect(first.texts).toHaveLength(50);
  expect(second.next).toBeNull();
  expect(new Set([...first.texts, ...second.texts].map(({ id }) => id)).size).toBe(60);
});

test('the words and the time of a scheduled text are changed, and it is sent once', async () => {
  const id = await schedule();
  const changed = await call(sms.changeText, {
    ...at(id),
    body: { message: 'Please come at three.', sendAt: inMinutes(120) },
  });
  expect(changed.body).toMatchObject({ body: 'Please come at three.', sendAt: inMinutes(120), state: 'scheduled' });
  testApp.later(60);
  expect(await sendDueTexts(testApp.services)).toBe(0);
  testApp.later(60);
  expect(await sendDueTexts(testApp.services)).toBe(1);
  const late = await call(sms.changeText, { ...at(id), body: { message: 'Too late' } });
  expect(late.body).toMatchObject({ code: 'text_moved_on', current: { state: 'sent' } });
});

test.each([
  [{ sendAt: 5 }, 'invalid_delivery_options'],
  [{ message: ' ' }, 'empty_message'],
])('the change %j is refused', async ({ sendAt, message }: { sendAt?: number; message?: string }, code) => {
  const id = await schedule();
  const body = {
    ...(sendAt !== undefined && { sendAt: inMinutes(sendAt) }),
    ...(message !== undefined && { message }),
  };
  expect((await call(sms.changeText, { ...at(id), body })).body).toMatchObject({ code });
});

test('a canceled text is not sent', async () => {
  const id = await schedule();
  expect((await call(sms.cancelText, at(id))).body).toMatchObject({ state: 'cancelled', actions: [] });
  testApp.later(60);
  expect(await sendDueTexts(testApp.services)).toBe(0);
  expect((await call(sms.cancelText, at(id))).body).toMatchObject({ code: 'text_moved_on' });
});

test('an invitation that waits is canceled from the outbox: it is not sent, and the patient stays expected', async () => {
  const { body: expected } = await call(smsCheckin.addCheckin, { body: { phone, text: 'Please check in here' } });
  const { id } = await textOfVisit(testApp, expected._id, desk);
  await setState(id, 'held');
  expect((await outbox()).texts).toMatchObject([{ id, state: 'held', actions: ['release', 'cancel'] }]);

  expect((await call(sms.cancelText, at(id))).body).toMatchObject({ state: 'cancelled', actions: [] });
  expect(await sendDueTexts(testApp.services)).toBe(0);
  expect(await textRow(testApp, id, desk)).toMatchObject({ state: 'cancelled', sealedLink: null });
  const list = await call(smsCheckin.listExpected, { params: { officeId: desk.id } });
  expect(list.body).toMatchObject([{ _id: expected._id, text: { state: 'cancelled' } }]);
  // Its link was deleted with the text, so the thread does not let it wait again.
  const message = await testApp.inOffice(desk, (tx) =>
    tx.selectFrom('message').select(['id', 'conversationId']).where('textId', '=', id).executeTakeFirstOrThrow(),
  );
  await testApp.inOffice(desk, (tx) =>
    tx
      .updateTable('text')
      .set({ sendAt: new Date(inMinutes(60)) })
      .where('id', '=', id)
      .execute(),
  );
  const restore = { params: { id: message.conversationId, messageId: message.id } };
  expect((await call(conversationMessages.restoreCanceledMessage, restore)).body).toMatchObject({
    code: 'text_moved_on',
  });

  expect((await call(smsCheckin.resendCheckin, { body: { id: expected._id } })).status).toBe(200);
  expect(await sendDueTexts(testApp.services)).toBe(1);
});

test('a patient whose answer is canceled in the outbox waits for an answer again', async () => {
  await patientTexts(testApp, phone, 'Which door?', { office: desk });
  const { body: found } = await call(conversations.readInbox, { query: { filter: 'unanswered' } });
  const conversationId = found.conversations[0]?.pk ?? '';
  const { body: answer } = await call(conversationMessages.sendMessage, {
    body: { conversationId, body: 'The blue one' },
  });
  const isUnanswered = async () =>
    (await call(conversations.readConversation, { params: { id: conversationId }, query: {} })).body.conversation
      .unanswered;
  expect(await isUnanswered()).toBe(false);
  await call(sms.cancelText, at(answer.textId ?? ''));
  expect(await isUnanswered()).toBe(true);
});

test('a confirmation of STOP cannot be canceled', async () => {
  await patientTexts(testApp, phone, 'STOP', { office: desk });
  const [confirmation] = (await outbox()).texts;
  expect(confirmation).toMatchObject({ state: 'scheduled', actions: [] });
  expect((await call(sms.cancelText, at(confirmation?.id ?? ''))).body).toMatchObject({ code: 'text_moved_on' });
});

test('canceling and sending at the same moment: exactly one wins', async () => {
  const id = await schedule();
  testApp.later(60);
  const [cancel, claimed] = await Promise.all([call(sms.cancelText, at(id)), sendDueTexts(testApp.services)]);
  expect([cancel.status, claimed]).toEqual(claimed === 1 ? [409, 1] : [200, 0]);
});

test('a held text is sent now when staff release it, not held again', async () => {
  const id = await schedule();
  testApp.later(60 + 90);
  await sendDueTexts(testApp.services);
  expect((await outbox()).texts).toMatchObject([{ state: 'held', actions: ['release', 'cancel'] }]);
  expect((await call(sms.releaseText, at(id))).body).toMatchObject({ state: 'scheduled' });
  await sendDueTexts(testApp.services);
  expect(await textRow(testApp, id, desk)).toMatchObject({ state: 'sent' });
});

test('a failed text is sent again as a new one, once', async () => {
  const id = await schedule();
  await setState(id, 'failed', 'delivery');
  expect((await outbox()).texts).toMatchObject([{ actions: ['retry'] }]);
  const replies = await Promise.all([1, 2].map(() => call(sms.retryText, at(id))));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await sendDueTexts(testApp.services)).toBe(1);
  expect(await textRow(testApp, id, desk)).toMatchObject({ state: 'failed' });
});

test.each([
  ['unknown', null],
  ['failed', 'bad-number'],
  ['sent', null],
] as const)('a text in state %s (%s) is never sent again', async (state, problem) => {
  const id = await schedule();
  await setState(id, state, problem);
  expect((await call(sms.retryText, at(id))).body).toMatchObject({ code: 'text_moved_on' });
  expect(await testApp.texts(desk)).toHaveLength(1);
});

test('another office’s text is unknown', async () => {
  const id = await addText(testApp, { office: testApp.other, sendBy: 'Dana', sendAt: new Date(inMinutes(60)) });
  for (const action of [sms.cancelText, sms.releaseText, sms.retryText, sms.readTextOutcome] as const)
    expect((await call(action as typeof sms.cancelText, at(id))).body).toMatchObject({ code: 'text_not_found' });
  expect((await outbox()).texts).toEqual([]);
  expect(await textRow(testApp, id, testApp.other)).toMatchObject({ state: 'queued' });
});

test('each change and each reading is in the audit log', async () => {
  const id = await schedule();
  await call(sms.cancelText, at(id));
  await outbox();
  const entries = (await testApp.auditEntries(desk)).map(({ action, subject }) => [action, subject]);
  expect(entries).toEqual([
    ['text.send', id],
    ['text.change', id],
    ['text.read', 'outbox'],
  ]);
});

test('a text is sent again word for word, also if it has a link of another website', async () => {
  const message = 'Please read https://portal.example/files/annual-checkup-instructions before you come.';
  const deliveryOptions = [{ phoneNumber: phone, sendAt: '' }];
  const sent = await call(sms.sendSms, { body: { message, deliveryOptions } });
  const refusing = withCarrier(testApp.services, { send: () => Promise.reject(new SmsRefused('delivery')) });
  await sendDueTexts(refusing);
  expect((await outbox()).texts).toMatchObject([{ state: 'failed', body: message }]);
  expect((await call(sms.previewSms, { body: { message, deliveryOptions } })).body).toMatchObject({ textedBefore: 0 });
  expect((await call(sms.retryText, at(sent.body.textIds[0] as string))).body).toMatchObject({ body: message });
  await sendDueTexts(testApp.services);
  expect((await textsTakenByCarrier(testApp, phone)).map(({ body }) => body)).toContain(message);
  expect((await call(sms.previewSms, { body: { message, deliveryOptions } })).body).toMatchObject({ textedBefore: 1 });
});

test('a practice that was limited in the meantime releases no text in its own words, and none of the operator does', async () => {
  const [own, invited] = [await schedule(), await testApp.visit({ office: desk, phone: '+16465550112' })];
  testApp.later(60 + 59);
  await testApp.inOffice(desk, (tx) => tx.updateTable('text').set({ state: 'held' }).where('id', '=', own).execute());
  await testApp.inOffice(desk, (tx) =>
    tx.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', desk.id).execute(),
  );
  expect((await call(sms.releaseText, at(own))).body).toMatchObject({ code: 'limited_own_words' });
  await releaseHeldTexts(testApp.services);
  expect(await textRow(testApp, own, desk)).toMatchObject({ state: 'held' });

  await call(queue.moveVisit, { body: { id: invited.id, action: 'INVITED' } });
  const { id: builtIn } = await textOfVisit(testApp, invited.id, desk);
  await testApp.inOffice(desk, (tx) =>
    tx.updateTable('text').set({ state: 'held' }).where('id', '=', builtIn).execute(),
  );
  expect((await call(sms.releaseText, at(builtIn))).body).toMatchObject({ state: 'scheduled' });
});
