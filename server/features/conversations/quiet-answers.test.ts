import { afterAll, beforeEach, expect, test } from 'vitest';
import { retryIdOf } from '#contract/conversations/messages.ts';
import { conversationMessages, conversations, queue, smsCheckin } from '#contract/index.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import { patientTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

const t = await openTestApp({ env: { DEMO: '0', LOCAL_PROVIDERS: '1' } });
afterAll(() => t.close());

const tenAtNight = '2026-03-03T03:00:00.000Z';
const eightInTheMorning = '2026-03-03T13:00:00.000Z';
beforeEach(() => t.at(tenAtNight));

let numbers = 0;
const newPhone = () => `+1646555${String(4000 + ++numbers)}`;
async function conversationWith(phone: string, office: TestOffice = t.maple): Promise<string> {
  await patientTexts(t, phone, 'Which door?', { office });
  const found = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } }, { as: office });
  return found.body.conversations[0]?.pk ?? '';
}
const answer = (conversationId: string, quietHours?: 'wait' | 'ignore') =>
  t.call(conversationMessages.sendMessage, {
    body: { conversationId, body: 'The blue one', ...(quietHours && { quietHours }) },
  });
const carrierGot = async (phone: string) => (await textsTakenByCarrier(t, phone)).map(({ body }) => body);

test('an answer in quiet hours waits until they end, and says when it goes out', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { status, body } = await answer(id);
  expect([status, body.state, body.sendAt]).toEqual([200, 'queued', eightInTheMorning]);
  await sendDueTexts(t.services);
  expect(await carrierGot(phone)).toEqual([]);
  const { messages } = (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;
  expect(messages.at(-1)).toMatchObject({ body: 'The blue one', sendAt: eightInTheMorning });
  t.at('2026-03-03T13:00:01.000Z');
  await sendDueTexts(t.services);
  expect(await carrierGot(phone)).toEqual(['The blue one']);
});

test('"Send now anyway" sends an answer at once', async () => {
  const phone = newPhone();
  const { body } = await answer(await conversationWith(phone), 'ignore');
  expect(body.sendAt).toBeNull();
  await sendDueTexts(t.services);
  expect(await carrierGot(phone)).toEqual(['The blue one']);
});

test('a waiting answer is sent now once, however often and by however many desks', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { _id: messageId } = (await answer(id)).body;
  const sendNow = (as: TestOffice = t.maple) =>
    t.call(conversationMessages.sendWaitingMessage, { params: { id, messageId } }, { as });
  expect((await sendNow(t.other)).status).toBe(404);
  const replies = await Promise.all([sendNow(), sendNow(), sendNow()]);
  expect(replies.map(({ status, body }) => [status, body.sendAt])).toEqual(Array(3).fill([200, null]));
  await sendDueTexts(t.services);
  expect(await carrierGot(phone)).toEqual(['The blue one']);
  expect((await t.auditEntries()).filter(({ subject }) => subject === id).map(({ action }) => action)).toContain(
    'text.change',
  );
});

test('an answer outside of quiet hours, or to a patient who checked in today, goes out at once', async () => {
  const [here, elsewhere] = [newPhone(), newPhone()];
  const id = await conversationWith(here);
  await t.visit({ phone: here });
  expect((await answer(id)).body.sendAt).toBeNull();
  const later = await conversationWith(elsewhere);
  t.at('2026-03-03T15:00:00.000Z');
  expect((await answer(later)).body.sendAt).toBeNull();
});

const act = (
  e: typeof conversationMessages.cancelWaitingMessage,
  id: string,
  messageId: string,
  as: TestOffice = t.maple,
) => t.call(e, { params: { id, messageId } }, { as });
const isUnanswered = async (id: string) =>
  (await t.call(conversations.readConversation, { params: { id }, query: {} })).body.conversation.unanswered;

test('a waiting answer can be canceled in the thread; the undo lets it wait again', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { _id: messageId } = (await answer(id)).body;
  expect(await isUnanswered(id)).toBe(false);
  for (const e of [conversationMessages.cancelWaitingMessage, conversationMessages.restoreCanceledMessage])
    expect((await act(e, id, messageId, t.other)).status).toBe(404);

  const canceled = await act(conversationMessages.cancelWaitingMessage, id, messageId);
  expect(canceled).toMatchObject({ status: 200, body: { state: 'cancelled', sendAt: null } });
  expect(await isUnanswered(id)).toBe(true);
  expect((await act(conversationMessages.cancelWaitingMessage, id, messageId)).body).toMatchObject({
    code: 'text_moved_on',
  });
  const restored = await act(conversationMessages.restoreCanceledMessage, id, messageId);
  expect(restored).toMatchObject({ status: 200, body: { state: 'queued', sendAt: eightInTheMorning } });
  expect(await isUnanswered(id)).toBe(false);

  await act(conversationMessages.cancelWaitingMessage, id, messageId);
  t.at('2026-03-03T13:00:01.000Z');
  await sendDueTexts(t.services);
  expect(await carrierGot(phone)).toEqual([]);
  expect((await act(conversationMessages.restoreCanceledMessage, id, messageId)).status).toBe(409);
});

test('a practice that was limited after it canceled an answer cannot let it wait again', async () => {
  const desk = await t.office();
  const phone = newPhone();
  await patientTexts(t, phone, 'Which door?', { office: desk });
  const { body: found } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } }, { as: desk });
  const id = found.conversations[0]?.pk ?? '';
  const sent = await t.call(
    conversationMessages.sendMessage,
    { body: { conversationId: id, body: 'The blue one' } },
    { as: desk },
  );
  const messageId = sent.body._id;
  expect((await act(conversationMessages.cancelWaitingMessage, id, messageId, desk)).status).toBe(200);
  await t.inOffice(desk, (tx) =>
    tx.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', desk.id).execute(),
  );
  expect((await act(conversationMessages.restoreCanceledMessage, id, messageId, desk)).body).toMatchObject({
    code: 'limited_own_words',
  });
});

test('a canceled answer is sent again or waits again, never both, also if two desks press at once', async () => {
  for (const order of ['again first', 'undo first', 'at once']) {
    const phone = newPhone();
    const id = await conversationWith(phone);
    const { _id: messageId } = (await answer(id)).body;
    await act(conversationMessages.cancelWaitingMessage, id, messageId);
    const undo = () => act(conversationMessages.restoreCanceledMessage, id, messageId);
    const again = () =>
      t.call(conversationMessages.sendMessage, {
        body: { conversationId: id, body: 'Yes, at nine.', clientId: retryIdOf(messageId), quietHours: 'ignore' },
      });
    const results =
      order === 'at once'
        ? await Promise.all([undo(), again()])
        : order === 'undo first'
          ? [await undo(), await again()]
          : [await again(), await undo()];
    expect(results.map(({ status }) => status).sort(), order).toEqual([200, 409]);
    const waiting = await t.inOffice(t.maple, (tx) =>
      tx.selectFrom('text').select('id').where('toPhone', '=', phone).where('state', '=', 'queued').execute(),
    );
    expect(waiting, order).toHaveLength(1);
  }
});

test('an answer that left cannot be canceled, and of cancel and send now at the same moment one wins', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { _id: left } = (await answer(id, 'ignore')).body;
  expect((await act(conversationMessages.cancelWaitingMessage, id, left)).status).toBe(409);
  const { _id: messageId } = (await answer(id)).body;
  const [canceled] = await Promise.all([
    act(conversationMessages.cancelWaitingMessage, id, messageId),
    act(conversationMessages.sendWaitingMessage, id, messageId),
  ]);
  await sendDueTexts(t.services);
  expect(await carrierGot(phone)).toHaveLength(canceled.status === 200 ? 1 : 2);
});

test('the undo of a canceled answer is refused once its number sent STOP', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { _id: messageId } = (await answer(id)).body;
  await act(conversationMessages.cancelWaitingMessage, id, messageId);
  await patientTexts(t, phone, 'STOP');
  expect((await act(conversationMessages.restoreCanceledMessage, id, messageId)).body).toMatchObject({
    code: 'number_opted_out',
  });
});

test("the hours of a waiting picture's link count from when its text goes out", async () => {
  const [later, now] = [newPhone(), newPhone()];
  const ends = async () => {
    const rows = await t.inOffice(t.maple, (tx) => tx.selectFrom('fileLink').select('expiresAt').execute());
    return rows.map(({ expiresAt }) => expiresAt.toISOString()).sort();
  };
  const before = await ends();
  const send = async (phone: string) => {
    const id = await conversationWith(phone);
    const path = `/chat-conversation/${id}/messages`;
    return { id, sent: await sendForm(t, path, { type: 'image' }, { attachment: await photo() }) };
  };
  await send(later);
  const { id, sent } = await send(now);
  await act(conversationMessages.sendWaitingMessage, id, sent.body._id);
  const added = (await ends()).filter((end) => !before.includes(end));
  expect(added).toEqual(['2026-03-04T03:00:00.000Z', '2026-03-04T13:00:00.000Z']);
});

test('a picture waits too', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const path = `/chat-conversation/${id}/messages`;
  const waits = await sendForm(t, path, { type: 'image' }, { attachment: await photo() });
  const leaves = await sendForm(t, path, { type: 'image', quietHours: 'ignore' }, { attachment: await photo() });
  expect([waits.body.sendAt, leaves.body.sendAt]).toEqual([eightInTheMorning, null]);
});

test('a number that sends STOP while an answer waits never gets it', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { _id: messageId } = (await answer(id)).body;
  await patientTexts(t, phone, 'STOP');
  const { body } = await t.call(conversationMessages.sendWaitingMessage, { params: { id, messageId } });
  expect(body).toMatchObject({ state: 'failed', problem: 'opted-out' });
  t.at('2026-03-03T14:00:00.000Z');
  await sendDueTexts(t.services);
  expect((await carrierGot(phone)).filter((body) => body === 'The blue one')).toEqual([]);
});

test('a message from the queue to an expected patient waits in the same way', async () => {
  const phone = newPhone();
  const { body: expected } = await t.call(smsCheckin.addCheckin, { body: { phone } });
  const visit = (await t.call(queue.readVisit, { params: { visitId: expected._id } })).body;
  expect(visit.quiet).toEqual({ until: eightInTheMorning, waits: true });
  const send = (quietHours?: 'ignore') =>
    t.call(queue.messagePatient, {
      params: { userCode: visit.visit.patientUserCode },
      body: { body: 'See you tomorrow', visitId: expected._id, ...(quietHours && { quietHours }) },
    });
  expect((await send()).body).toMatchObject({ state: 'queued', sendAt: eightInTheMorning });
  expect((await send('ignore')).body.sendAt).toBeNull();
  const { messages } = (await t.call(queue.readVisit, { params: { visitId: expected._id } })).body;
  expect(messages.filter(({ kind }) => kind === 'message').map(({ sendAt }) => sendAt)).toEqual([
    eightInTheMorning,
    null,
  ]);
});

test('in the demo quiet hours only warn', async () => {
  const demo = await openTestApp({ at: new Date(tenAtNight) });
  const phone = newPhone();
  await patientTexts(demo, phone, 'Which door?');
  const { pk: conversationId = '' } =
    (await demo.call(conversations.readInbox, { query: { filter: 'all' } })).body.conversations[0] ?? {};
  const thread = await demo.call(conversations.readConversation, { params: { id: conversationId }, query: {} });
  expect(thread.body.quiet).toEqual({ until: eightInTheMorning, waits: false });
  const sent = await demo.call(conversationMessages.sendMessage, { body: { conversationId, body: 'The blue one' } });
  expect(sent.body.sendAt).toBeNull();
  await demo.close();
});
