import { afterAll, expect, test } from 'vitest';
import { chatConversations, conversationMessages, conversations, patient, queue } from '#contract/index.ts';
import type { InboxFilter } from '#contract/conversations/inbox.ts';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, report, sendDueTexts, textOfVisit, textRow } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(3000 + ++numbers)}`;
const inbox = async (filter: InboxFilter = 'all', of: TestOffice = t.maple) =>
  (await t.call(conversations.readInbox, { query: { filter } }, { as: of })).body.conversations;
const find = async (phone: string, filter: InboxFilter = 'all') =>
  (await inbox(filter)).find((conversation) => conversation.phone === phone);
const conversationWith = async (phone: string) => (await find(phone)) as Conversation;
const thread = async (id: string) => (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;
const send = (conversationId: string, body: string, clientId?: string, as: TestOffice | { token: string } = t.maple) =>
  t.call(
    conversationMessages.sendMessage,
    { body: { conversationId, body, ...(clientId && { clientId }) } },
    { as, headers: { 'x-office': t.maple.id } },
  );
const textsTo = async (phone: string) => (await t.texts()).filter(({ toPhone }) => toPhone === phone);
/** A patient without a visit texts the practice. */
const newcomer = async (body = 'Do you take walk-ins?') => {
  const phone = newPhone();
  expect(await patientTexts(t, phone, body)).toBe(200);
  return conversationWith(phone);
};
const counts = async (token = t.maple.token) =>
  (await t.call(conversations.readInboxCounts, {}, { as: { token }, headers: { 'x-office': t.maple.id } })).body;

test('a text from a number without a visit is unread and unanswered in the inbox', async () => {
  const conversation = await newcomer();
  expect(conversation).toMatchObject({
    channel: 'text',
    lastBody: 'Do you take walk-ins?',
    doctorUnread: 1,
    properties: { patientName: '', patientCode: null },
    state: 'open',
    unanswered: true,
    failed: false,
    textBlock: null,
  });
  expect(await find(conversation.phone ?? '', 'unanswered')).toBeDefined();
  expect(await find(conversation.phone ?? '', 'unread')).toBeDefined();
  expect(await find(conversation.phone ?? '', 'failed')).toBeUndefined();
});

test('the texts of a visit, its messages and the replies are one conversation, in order', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone, firstName: 'Zoë', lastName: 'Quartermain', moves: ['invite'] });
  await t.call(queue.messagePatient, { params: { userCode: visit.patientUserCode }, body: { body: 'Second door' } });
  await patientTexts(t, phone, 'Which floor?');
  const conversation = await conversationWith(phone);
  expect(conversation.properties).toEqual({ patientName: 'Zoë Quartermain', patientCode: visit.patientUserCode });
  const { messages } = await thread(conversation.conversationId);
  expect(messages.map(({ sequence, sender, kind, by }) => [sequence, sender, kind, by])).toEqual([
    [1, 'bot', 'invite', null],
    [2, 'doctor', 'message', 'Dana Whitlock'],
    [3, 'patient', 'message', null],
  ]);
  expect(messages[0]?.body).toContain('(link to the visit)');
  const { body: panel } = await t.call(queue.readVisit, { params: { visitId: visit.id } });
  expect(panel.messages.map(({ from, body }) => [from, body]).slice(1)).toEqual([
    ['office', 'Second door'],
    ['patient', 'Which floor?'],
  ]);
});

test('an answer is texted, is shown on the page of a running visit, and the conversation no longer waits', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Which door?');
  const { conversationId } = await conversationWith(phone);
  const answer = await send(conversationId, '  The blue one ');
  expect(answer).toMatchObject({
    status: 200,
    body: { sender: 'doctor', by: 'Dana Whitlock', body: 'The blue one', state: 'queued', sequence: 2 },
  });
  expect(await conversationWith(phone)).toMatchObject({ unanswered: false, lastSender: 'doctor', doctorUnread: 1 });
  expect(await textsTo(phone)).toMatchObject([{ body: 'The blue one', visitId: visit.id, kind: 'message' }]);
  const token = await t.provedToken(visit.id);
  const { body: page } = await t.call(patient.readPatientVisit, { params: { token } }, { as: null });
  expect(page.messages.map(({ from, body }) => [from, body])).toEqual([
    ['patient', 'Which door?'],
    ['office', 'The blue one'],
  ]);
  expect((await t.auditEntries()).filter(({ action }) => action === 'message.send').at(-1)).toMatchObject({
    actorId: t.maple.personId,
    subject: visit.id,
  });
});

test('an empty message is refused and nothing is sent', async () => {
  const { conversationId, phone } = await newcomer();
  expect(await send(conversationId, ' \n ')).toMatchObject({ status: 400, body: { code: 'empty_message' } });
  expect(await textsTo(phone ?? '')).toEqual([]);
});

test('a message to a number that sent STOP is refused and not stored', async () => {
  const { conversationId, phone } = await newcomer();
  await patientTexts(t, phone ?? '', 'STOP');
  expect(await send(conversationId, 'Hello')).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  const { conversation, messages } = await thread(conversationId);
  expect(conversation).toMatchObject({ textBlock: 'opted-out', lastSender: 'bot' });
  expect(messages.map(({ sender }) => sender)).toEqual(['patient', 'patient', 'bot']);
  expect((await textsTo(phone ?? '')).map(({ kind }) => kind)).toEqual(['notice']);
});

test('a message beyond the limit of a number is refused and not stored', async () => {
  const { conversationId } = await newcomer();
  for (let n = 0; n < 15; n++) expect((await send(conversationId, `Message ${n}`)).status).toBe(200);
  expect(await send(conversationId, 'One more')).toMatchObject({
    status: 429,
    body: { code: 'too_many_texts_to_number' },
  });
  expect((await thread(conversationId)).messages).toHaveLength(16);
});

test('the same client id twice sends once', async () => {
  const { conversationId, phone } = await newcomer();
  const first = await send(conversationId, 'Yes, we do', 'tap-1');
  const second = await send(conversationId, 'Yes, we do', 'tap-1');
  expect(second.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(await textsTo(phone ?? '')).toHaveLength(1);
});

test('10 concurrent calls with one client id send once, and all get the same message', async () => {
  const { conversationId, phone } = await newcomer();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(conversationId, 'Yes', 'tap-race')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
  expect(await textsTo(phone ?? '')).toHaveLength(1);
});

test('two desks that answer at the same moment both send, and their messages have different sequences', async () => {
  const { conversationId, phone } = await newcomer();
  const colleague = { token: await t.signIn(await t.addStaff({ name: 'Sam Ortiz' }, [t.maple])) };
  const answers = await Promise.all([send(conversationId, 'Yes'), send(conversationId, 'We do', undefined, colleague)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(({ body }) => body.sequence).sort()).toEqual([2, 3]);
  expect(
    (await thread(conversationId)).messages
      .slice(1)
      .map(({ by }) => by)
      .sort(),
  ).toEqual(['Dana Whitlock', 'Sam Ortiz']);
  expect(await textsTo(phone ?? '')).toHaveLength(2);
});

test('50 texts that arrive at the same moment are 50 messages in a row, all unread', async () => {
  const phone = newPhone();
  await Promise.all(Array.from({ length: 50 }, (_, n) => patientTexts(t, phone, `Text ${n}`)));
  const conversation = await conversationWith(phone);
  expect(conversation).toMatchObject({ doctorUnread: 50, lastSequence: 50 });
  const { messages } = await thread(conversation.conversationId);
  expect(messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

test('texts in both directions, STOP and reading at the same moment do not deadlock', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Hello');
  const { conversationId } = await conversationWith(phone);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => [
      patientTexts(t, phone, `Text ${n}`),
      patientTexts(t, phone, n % 2 ? 'STOP' : 'START'),
      send(conversationId, `Answer ${n}`).then(({ status }) => status),
      t
        .call(queue.messagePatient, { params: { userCode: visit.patientUserCode }, body: { body: `Message ${n}` } })
        .then(({ status }) => status),
      t
        .call(conversations.markConversationRead, { params: { id: conversationId }, body: { sequence: n } })
        .then(({ status }) => status),
    ]).flat(),
  );
  expect(answers.filter((status) => ![200, 409, 429].includes(status))).toEqual([]);
  const { messages } = await thread(conversationId);
  expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, n) => n + 1));
});

test('a conversation that one desk read is read on every desk', async () => {
  const before = await counts();
  const { conversationId } = await newcomer();
  const colleague = await t.signIn(await t.addStaff({ name: 'Lee Park' }, [t.maple]));
  expect((await counts()).unread).toBe(before.unread + 1);
  expect(await counts(colleague)).toEqual(await counts());
  await t.call(conversations.readConversation, { params: { id: conversationId }, query: { markRead: 'doctor' } });
  expect((await counts(colleague)).unread).toBe(before.unread);
});

test('reading up to a sequence leaves newer messages unread', async () => {
  const { conversationId, phone } = await newcomer('One');
  await patientTexts(t, phone ?? '', 'Two');
  await patientTexts(t, phone ?? '', 'Three');
  const read = (sequence: number) =>
    t.call(conversations.markConversationRead, { params: { id: conversationId }, body: { sequence } });
  expect((await read(2)).body.doctorUnread).toBe(1);
  expect((await read(1)).body.doctorUnread).toBe(1);
  expect((await read(99)).body.doctorUnread).toBe(0);
  await patientTexts(t, phone ?? '', 'Four');
  expect((await conversationWith(phone ?? '')).doctorUnread).toBe(1);
});

test('a closed conversation leaves the unanswered ones, and the next text of the patient opens it again', async () => {
  const { conversationId, phone } = await newcomer();
  const close = await t.call(conversations.closeConversation, { params: { id: conversationId } });
  expect(close.body).toMatchObject({ state: 'closed' });
  expect(await find(phone ?? '', 'unanswered')).toBeUndefined();
  await patientTexts(t, phone ?? '', 'Hello again');
  expect(await find(phone ?? '', 'unanswered')).toMatchObject({ state: 'open' });
});

test('reopening undoes closing', async () => {
  const { conversationId, phone } = await newcomer();
  await t.call(conversations.closeConversation, { params: { id: conversationId } });
  await t.call(conversations.reopenConversation, { params: { id: conversationId } });
  expect(await find(phone ?? '', 'unanswered')).toMatchObject({ state: 'open', unanswered: true });
});

test('an invitation does not open a closed conversation, and does not count as an answer', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Which door?');
  const { conversationId } = await conversationWith(phone);
  await t.call(conversations.closeConversation, { params: { id: conversationId } });
  await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
  expect(await conversationWith(phone)).toMatchObject({ state: 'closed', unanswered: true, lastSender: 'bot' });
});

test('a conversation can be assigned to oneself and to nobody', async () => {
  const { conversationId } = await newcomer();
  const assign = (to: 'me' | null) =>
    t.call(conversations.assignConversation, { params: { id: conversationId }, body: { to } });
  expect((await assign('me')).body.assignee).toEqual({ id: t.maple.personId, name: 'Dana Whitlock' });
  expect((await assign(null)).body.assignee).toBeNull();
});

test('a conversation whose newest text failed is listed as failed with the reason, until a text arrives', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone, moves: ['invite'] });
  const text = await textOfVisit(t, visit.id);
  const reference = `${t.maple.id}.${text.id}`;
  await report(t, { providerId: `failed-${phone}`, reference, state: 'failed', errorClass: 'bad-number' });
  const failed = await find(phone, 'failed');
  expect(failed).toMatchObject({ failed: true });
  const { messages } = await thread(failed?.conversationId ?? '');
  expect(messages).toMatchObject([{ state: 'failed', problem: 'bad-number' }]);
  const { textId } = (await send(failed?.conversationId ?? '', 'Trying again')).body;
  expect(await find(phone, 'failed')).toBeUndefined();
  await sendDueTexts(t.services);
  expect(await textRow(t, textId ?? '')).toMatchObject({ state: 'sent' });
});

test('STOP is not a question: its conversation is unread and not unanswered', async () => {
  const conversation = await newcomer('STOP');
  expect(conversation).toMatchObject({ unanswered: false, doctorUnread: 1, textBlock: 'opted-out' });
});

test('the answer to HELP is part of the conversation', async () => {
  const { conversationId } = await newcomer('HELP');
  const { messages } = await thread(conversationId);
  expect(messages.map(({ sender, body }) => [sender, body.slice(0, 24)])).toEqual([
    ['patient', 'HELP'],
    ['bot', 'Maple Street Pediatrics:'],
  ]);
});

test('the search finds beginnings of names without accents, and digits of the number', async () => {
  const phone = newPhone();
  await t.visit({ phone, firstName: 'Søren', lastName: 'Ibáñez-O’Hara', moves: ['invite'] });
  const search = async (words: string) =>
    (await t.call(conversations.searchInbox, { body: { search: words } })).body.conversations.map((c) => c.phone);
  for (const words of ['ibanez', 'IBÁÑEZ', 'hara iba', phone.slice(-4), `(646) 555-${phone.slice(-4)}`])
    expect(await search(words), words).toEqual([phone]);
  for (const words of ['banez', 'ibanez smith', '999999']) expect(await search(words), words).toEqual([]);
});

test('pages follow each other without gaps or repetition', async () => {
  const practice = await t.office();
  for (let n = 0; n < 30; n++) await patientTexts(t, `+1646556${4000 + n}`, `Text ${n}`, { office: practice });
  const as = { as: practice };
  const first = await t.call(conversations.readInbox, { query: {} }, as);
  expect(first.body.conversations).toHaveLength(25);
  const second = await t.call(conversations.readInbox, { query: { cursor: first.body.next ?? '' } }, as);
  expect(second.body).toMatchObject({ next: null });
  expect(new Set([...first.body.conversations, ...second.body.conversations].map(({ pk }) => pk)).size).toBe(30);
  const older = await t.call(
    chatConversations.listConversations,
    { params: { id: practice.npi }, query: { page: '2' } },
    as,
  );
  expect(older.body.map(({ pk }) => pk)).toEqual(second.body.conversations.map(({ pk }) => pk));
});

test.each(['yesterday somewhere', '-271821-04-20T00:00:00.000Z 019f1111-1111-7111-8111-111111111111'])(
  'a cursor that was not made here is refused: %s',
  async (made) => {
    const cursor = Buffer.from(made).toString('base64url');
    expect((await t.call(conversations.readInbox, { query: { cursor } })).status).toBe(400);
  },
);

test('an unchanged inbox and an unchanged conversation are answered 304 without an audit entry', async () => {
  const { conversationId } = await newcomer();
  const reads = [
    (headers = {}) => t.call(conversations.readInbox, { query: {} }, { headers }),
    (headers = {}) => t.call(conversations.readInboxCounts, {}, { headers }),
    (headers = {}) =>
      t.call(conversations.readConversation, { params: { id: conversationId }, query: {} }, { headers }),
  ];
  for (const read of reads) {
    const etag = String((await read()).headers.etag);
    const before = (await t.auditEntries()).length;
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    expect((await t.auditEntries()).length).toBe(before);
  }
  expect((await t.auditEntries()).at(-1)).toMatchObject({ action: 'conversation.read', subject: conversationId });
});

test('older programs list conversations by day and read their messages', async () => {
  const { conversationId, phone } = await newcomer();
  const list = async (from: string, to: string) =>
    (await t.call(chatConversations.listChatConversations, { query: { from, to } })).body.map((c) => c.phone);
  expect(await list('2026-03-02', '2026-03-02')).toContain(phone);
  expect(await list('2026-03-01', '2026-03-01')).toEqual([]);
  const { body } = await t.call(chatConversations.readChatMessages, {
    params: { id: conversationId },
    query: { markRead: 'doctor', doctor: t.maple.npi },
  });
  expect(body).toMatchObject([{ type: 'text', body: 'Do you take walk-ins?', sender: 'patient', conversationId }]);
  expect(await find(phone ?? '', 'unread')).toBeUndefined();
});

test('a conversation with a patient is opened once, and their first text joins it', async () => {
  const phone = newPhone();
  const { patientUserCode: targetUserCode } = await t.visit({ phone });
  const open = () => t.call(chatConversations.openChatConversation, { body: { targetUserCode } });
  const opened = await Promise.all([open(), open(), open()]);
  const ids = new Set(opened.map(({ body }) => body.conversationId));
  expect(ids.size).toBe(1);
  await patientTexts(t, phone, 'Hello');
  expect(ids).toContain((await conversationWith(phone)).conversationId);
  expect((await t.call(chatConversations.openChatConversation, { body: { targetUserCode: 'nobody' } })).status).toBe(
    404,
  );
});

test("another office's conversation answers 404 like an unknown one, to every call", async () => {
  const phone = newPhone();
  await patientTexts(t, phone, 'For the other one', { office: t.other });
  const foreign = (await inbox('all', t.other))[0]?.conversationId ?? '';
  expect(foreign).not.toBe('');
  expect(await find(phone)).toBeUndefined();
  const calls = [
    (id: string) => t.call(conversations.readConversation, { params: { id }, query: { markRead: 'doctor' } }),
    (id: string) => send(id, 'Hello'),
    (id: string) => t.call(conversations.closeConversation, { params: { id } }),
    (id: string) => t.call(conversations.reopenConversation, { params: { id } }),
    (id: string) => t.call(conversations.assignConversation, { params: { id }, body: { to: 'me' } }),
    (id: string) => t.call(conversations.markConversationRead, { params: { id }, body: { sequence: 9 } }),
    (id: string) => t.call(conversationMessages.noteWriting, { params: { id } }),
    (id: string) => t.call(chatConversations.readChatMessages, { params: { id }, query: {} }),
  ];
  for (const call of calls) {
    const answer = await call(foreign);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual((await call('019f7777-7777-7777-8777-777777777778')).body);
  }
  expect((await t.call(chatConversations.listConversations, { params: { id: t.other.npi }, query: {} })).status).toBe(
    404,
  );
  expect((await inbox('all', t.other))[0]).toMatchObject({ doctorUnread: 1, state: 'open', assignee: null });
  expect(await t.texts(t.other)).toEqual([]);
});

test('an answer has 1 to 1,600 characters', async () => {
  const { pk: id } = await newcomer();
  for (const body of ['', ' \n', 'x'.repeat(1_601), 'x'.repeat(10_000)])
    expect((await send(id, body)).status).toBe(400);
  for (const body of ['x', 'x'.repeat(1_600)]) expect((await send(id, body)).status).toBe(200);
});

test('a text from a number abroad is in the inbox, and an answer to it is refused', async () => {
  const phone = '+14165550123';
  await patientTexts(t, phone, 'Hello');
  const answer = await send((await conversationWith(phone)).pk, 'Hello');
  expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([409, 'number_not_textable']);
  expect(await textsTo(phone)).toEqual([]);
});
