import { afterAll, expect, test } from 'vitest';
import { chatConversations, conversationMessages, conversations } from '#contract/index.ts';
import { isViolationOf } from '#server/kit/db/db.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import { openVisitorConversation, receiveVisitorMessage } from './visitor-conversations.ts';

const t = await openTestApp();
afterAll(() => t.close());

const scope = t.scopeOf(t.maple);
const open = (name: string, channel: 'web' | 'app' = 'web') => openVisitorConversation(scope, { channel, name });
const writes = (conversationId: string, body: string, clientId: string = crypto.randomUUID()) =>
  receiveVisitorMessage(scope, { conversationId, body, clientId });
const thread = async (id: string) => (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;
const texts = async () => (await t.texts()).length;

test.each(['web', 'app'] as const)(
  'a message of a visitor without a number is in the inbox with its channel: %s',
  async (channel) => {
    const id = await open('Zoë Visitor', channel);
    await writes(id, 'Are you open on Friday?');
    const { body } = await t.call(conversations.readInbox, { query: { filter: 'unanswered' } });
    expect(body.conversations.find(({ pk }) => pk === id)).toMatchObject({
      channel,
      phone: null,
      lastBody: 'Are you open on Friday?',
      lastType: 'text',
      doctorUnread: 1,
      unanswered: true,
      textBlock: null,
      properties: { patientName: 'Zoë Visitor', patientCode: null },
    });
    const found = await t.call(conversations.searchInbox, { body: { search: 'zoe vis' } });
    expect(found.body.conversations.map(({ pk }) => pk)).toContain(id);
  },
);

test('an answer to a visitor is a message without a text', async () => {
  const id = await open('Visitor');
  await writes(id, 'Hello?');
  const before = await texts();
  const { status, body } = await t.call(conversationMessages.sendMessage, {
    body: { conversationId: id, body: 'Yes, until 5 PM.' },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    channel: 'web',
    sequence: 2,
    sender: 'doctor',
    textId: null,
    state: null,
    problem: null,
  });
  expect(await texts()).toBe(before);
  const { conversation, messages } = await thread(id);
  expect(conversation).toMatchObject({ unanswered: false, doctorUnread: 1, lastSender: 'doctor' });
  expect(messages.map(({ sender, body: text }) => [sender, text])).toEqual([
    ['patient', 'Hello?'],
    ['doctor', 'Yes, until 5 PM.'],
  ]);
});

test('a picture for a visitor is a message without a text', async () => {
  const id = await open('Visitor');
  const before = await texts();
  const { body } = await sendForm(
    t,
    `/chat-conversation/${id}/messages`,
    { type: 'image' },
    { attachment: await photo() },
  );
  expect(body).toMatchObject({ type: 'image', channel: 'web', textId: null });
  expect(await texts()).toBe(before);
});

test('messages of visitors and desks at the same time all get their own place in the order', async () => {
  const id = await open('Visitor');
  await Promise.all([
    ...Array.from({ length: 8 }, (_, i) => writes(id, `Question ${i}`)),
    ...Array.from({ length: 8 }, (_, i) =>
      t.call(conversationMessages.sendMessage, {
        body: { conversationId: id, body: `Answer ${i}`, clientId: `a${i}` },
      }),
    ),
  ]);
  const { messages, conversation } = await thread(id);
  expect(messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  expect(conversation.lastSequence).toBe(16);
});

test('a visitor’s message sent twice with one client id is stored once', async () => {
  const id = await open('Visitor');
  await writes(id, 'Hello?', 'once');
  await expect(writes(id, 'Hello?', 'once')).rejects.toSatisfy((error) => isViolationOf(error, 'message_client'));
  expect((await thread(id)).conversation).toMatchObject({ lastSequence: 1, doctorUnread: 1 });
});

test('a visitor’s next message opens a closed conversation', async () => {
  const id = await open('Visitor');
  await writes(id, 'Hello?');
  await t.call(conversations.closeConversation, { params: { id } });
  await writes(id, 'Still there?');
  expect((await thread(id)).conversation.state).toBe('open');
});

test("a visitor's conversation is unknown to another practice", async () => {
  const id = await open('Visitor');
  const as = t.other;
  const replies = [
    await t.call(conversations.readConversation, { params: { id }, query: {} }, { as }),
    await t.call(conversationMessages.sendMessage, { body: { conversationId: id, body: 'Hi' } }, { as }),
    await t.call(
      chatConversations.sendChatMessage,
      { params: { id }, query: {}, body: { type: 'text', body: 'Hi' } },
      { as },
    ),
  ];
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  await expect(
    receiveVisitorMessage(t.scopeOf(t.other), { conversationId: id, body: 'Hi', clientId: 'x' }),
  ).rejects.toMatchObject({ code: 'conversation_not_found' });
});
