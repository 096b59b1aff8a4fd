import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatConversations, chatSettings, conversationMessages, conversations, websiteChat } from '#contract/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { countLockWaits } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const t = await openTestApp();
afterAll(() => t.close());
beforeAll(async () => {
  const settings = { chatEnabled: true, origins: [], color: '#0f5f8c', greeting: { en: '', es: '' }, hours: null };
  for (const as of [t.maple, t.other]) await t.call(chatSettings.saveChatSettings, { body: settings }, { as });
});

let visitors = 0;
/** A visitor on a network of their own, who has not written yet. */
async function visitor(npi = t.maple.npi) {
  const remoteAddress = `198.51.8.${++visitors}`;
  const payload = { consent: true, language: 'en', name: `Visitor ${visitors}` };
  const url = `/api/website-chat/${npi}`;
  const token = (await t.app.inject({ method: 'POST', url, payload, remoteAddress })).json().token as string;
  return (body: string) =>
    t.call(websiteChat.sendVisitorMessage, { body: { clientId: crypto.randomUUID(), body } }, { as: { token } });
}
const list = async (query = {}, as = t.maple) =>
  (await t.call(chatConversations.listChatConversations, { query }, { as })).body;
const held = (as = t.maple) => list({ held: 'only' }, as);
const counts = async () => (await t.call(conversations.readInboxCounts, {})).body;
const open = (id: string, as = t.maple) => t.call(conversations.reopenConversation, { params: { id } }, { as });
const send = (conversationId: string, body: string) =>
  t.call(conversationMessages.sendMessage, { body: { conversationId, body, clientId: crypto.randomUUID() } });
const actionsOn = async (id: string) =>
  (await t.auditEntries()).filter(({ subject }) => subject === id).map(({ action }) => action);
const links = 'Rank first! https://seo.example/buy and www.backlinks.example today';

test('a chat that begins with several links is held back: it rings for nobody, and is only in its own list', async () => {
  const before = await counts();
  const write = await visitor();
  expect((await write(links)).status).toBe(200);
  expect(await counts()).toEqual(before);
  const [first] = await held();
  expect(first).toMatchObject({ state: 'held', lastBody: links, doctorUnread: 1 });
  expect(await held(t.other)).toEqual([]);
  const id = first?.pk ?? '';
  const inbox = (await t.call(conversations.readInbox, { query: {} })).body.conversations;
  expect([...inbox, ...(await list({ unread: 'also' }))].map(({ pk }) => pk)).not.toContain(id);
  // The visitor notices nothing, and writes on.
  await write('Hello?');
  expect([await counts(), (await held())[0]?.doctorUnread]).toEqual([before, 2]);
  expect((await actionsOn(id)).filter((action) => action === 'conversation.hold')).toHaveLength(1);
});

test('one press releases a held-back chat, and it is not held back again', async () => {
  const write = await visitor();
  await write(links);
  const id = (await held())[0]?.pk ?? '';
  expect((await open(id, t.other)).status).toBe(404);
  const { unread } = await counts();
  expect((await open(id)).body).toMatchObject({ state: 'open', doctorUnread: 1 });
  expect((await counts()).unread).toBe(unread + 1);
  await write(links);
  expect((await held()).map(({ pk }) => pk)).not.toContain(id);
  const released = (await t.auditEntries()).filter(({ action, subject }) => subject === id && action.endsWith('open'));
  expect(released).toMatchObject([{ action: 'conversation.reopen', outcome: 'done', details: { held: true } }]);
});

test('an answer of the desk brings it back too', async () => {
  const write = await visitor();
  await write(links);
  const id = (await held())[0]?.pk ?? '';
  await send(id, 'How can we help?');
  await write(links);
  expect((await list()).find(({ pk }) => pk === id)).toMatchObject({ state: 'open' });
});

test.each([
  [
    'answers',
    (tx: Tx, id: string) =>
      sql`update message set sender = 'doctor' where conversation_id = ${id} and sequence = 1`.execute(tx),
  ],
  [
    'judges',
    (tx: Tx, id: string) => tx.updateTable('conversation').set({ judgedAt: t.now() }).where('id', '=', id).execute(),
  ],
])('a chat that a desk %s in the same moment is not held back', async (_how, change) => {
  const write = await visitor();
  await write('Hello there');
  const id = (await list())[0]?.pk ?? '';
  let written: ReturnType<typeof write> | undefined;
  await t.inOffice(t.maple, async (tx) => {
    await tx.updateTable('conversation').set({ state: 'open' }).where('id', '=', id).execute();
    await change(tx, id);
    written = write(links);
    await expect.poll(() => countLockWaits(new URL(t.url).pathname.slice(1))).toBe(1);
  });
  expect((await written)?.status).toBe(200);
  expect((await held()).map(({ pk }) => pk)).not.toContain(id);
  expect(await actionsOn(id)).not.toContain('conversation.hold');
});

test('the same long words from many visitors are held back from the third on; a greeting is not', async () => {
  const count = (await held()).length;
  const advertising = 'We can get you more patients with our marketing package';
  for (const body of [advertising, `  ${advertising.toUpperCase()}`, advertising, advertising])
    await (
      await visitor()
    )(body);
  for (let i = 0; i < 4; i++) await (await visitor())('Hello, are you open?');
  expect(await held()).toHaveLength(count + 2);
  await (
    await visitor(t.other.npi)
  )(advertising);
  expect(await held(t.other)).toEqual([]);
});

test('a chat with one link, or that has gone on for a while, is not held back', async () => {
  const count = (await held()).length;
  await (
    await visitor()
  )('Is this your address? https://maps.example/maple');
  const write = await visitor();
  for (let i = 0; i < 5; i++) await write(`Question ${i}`);
  await write(links);
  expect(await held()).toHaveLength(count);
});
