import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatSettings, conversationMessages, conversations, websiteChat } from '#contract/index.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';

const t = await openTestApp();
afterAll(() => t.close());
beforeAll(async () => {
  const settings = { chatEnabled: true, origins: [], color: '#0f5f8c', greeting: { en: '', es: '' }, hours: null };
  await t.call(chatSettings.saveChatSettings, { body: settings });
});

let visitors = 0;
/** A visitor who has written, on a network of their own. */
async function visitor() {
  const remoteAddress = `198.51.7.${++visitors}`;
  const payload = { consent: true, language: 'en', name: `Visitor ${visitors}` };
  const url = `/api/website-chat/${t.maple.npi}`;
  const token = (await t.app.inject({ method: 'POST', url, payload, remoteAddress })).json().token as string;
  const as = { as: { token } };
  const write = (body: string) =>
    t.call(websiteChat.sendVisitorMessage, { body: { clientId: crypto.randomUUID(), body } }, as);
  const read = () => t.call(websiteChat.readChat, { query: {} }, as);
  await write('Hello');
  const [newest] = (await t.call(conversations.readInbox, { query: {} })).body.conversations;
  return { id: newest?.pk ?? '', token, as, write, read };
}
const block = (id: string, as: TestOffice = t.maple) => t.call(conversations.blockVisitor, { params: { id } }, { as });
const unblock = (id: string, as: TestOffice = t.maple) =>
  t.call(conversations.unblockVisitor, { params: { id } }, { as });
const counts = async () => (await t.call(conversations.readInboxCounts, {})).body;
const thread = async (id: string) => (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;
const actionsOn = async (id: string) =>
  (await t.auditEntries()).filter(({ subject }) => subject === id).map(({ action }) => action);

test('every call of a blocked visitor is refused, and nothing of theirs reaches the desks', async () => {
  const { unansweredChats } = await counts();
  const { id, as, write, read } = await visitor();
  expect((await counts()).unansweredChats).toBe(unansweredChats + 1);
  expect((await block(id)).body).toMatchObject({ pk: id, state: 'closed' });
  const before = await counts();
  expect(before.unansweredChats).toBe(unansweredChats);
  const refused = [
    await write('Are you there?'),
    await read(),
    await t.call(websiteChat.noteVisitorWriting, {}, as),
    await t.call(websiteChat.saveVisitorName, { body: { name: 'Somebody else' } }, as),
    await t.call(websiteChat.leaveChat, {}, as),
  ];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'chat_blocked']));
  expect(await counts()).toEqual(before);
  const { conversation, messages, visitor: shown } = await thread(id);
  expect([messages.length, conversation.properties.patientName, shown?.blocked]).toEqual([1, 'Visitor 1', true]);
});

test('unblocking is the undo: the conversation is open again, and the visitor writes on', async () => {
  const { id, write } = await visitor();
  await block(id);
  expect((await unblock(id)).body).toMatchObject({ pk: id, state: 'open' });
  expect((await write('Thanks')).status).toBe(200);
  expect((await thread(id)).visitor?.blocked).toBe(false);
});

test('two desks that block at once block once', async () => {
  const { id } = await visitor();
  const replies = await Promise.all([block(id), block(id)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect((await actionsOn(id)).filter((action) => action === 'conversation.block')).toHaveLength(1);
  await unblock(id);
  await unblock(id);
  expect((await actionsOn(id)).filter((action) => action === 'conversation.unblock')).toHaveLength(1);
});

test('an answer to a blocked visitor is refused', async () => {
  const { id } = await visitor();
  await block(id);
  const { status, body } = await t.call(conversationMessages.sendMessage, {
    body: { conversationId: id, body: 'Hello' },
  });
  expect([status, body.code]).toEqual([409, 'visitor_blocked']);
});

test('a visitor’s page hears that it is blocked, and gets no new connection', async () => {
  const address = await t.listen();
  const { id, token } = await visitor();
  const page = await openLiveClient(address, { visitor: token });
  const hint = page.nextHint();
  await block(id);
  expect(await hint).toEqual({ type: 'messages' });
  await expect(openLiveClient(address, { visitor: token })).rejects.toThrow();
  page.close();
});

test('another practice cannot block the visitor, and a conversation by text has none', async () => {
  const { id, write } = await visitor();
  expect((await block(id, t.other)).body.code).toBe('conversation_not_found');
  expect((await write('Still here')).status).toBe(200);
  await block(id);
  expect((await unblock(id, t.other)).status).toBe(404);
  expect((await write('Still here?')).status).toBe(403);
});
