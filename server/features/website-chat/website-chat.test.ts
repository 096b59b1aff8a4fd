import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatSettings, conversationMessages, conversations, messageSettings, websiteChat } from '#contract/index.ts';
import type { ChatSettings } from '#contract/practice/chat-settings.ts';
import { systemActor } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { noteSeen, visitorOf } from '#server/visitor-token.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm, sendVisitorForm } from '#testing/fixtures/pictures.ts';

const t = await openTestApp();
afterAll(() => t.close());

const settings: ChatSettings = {
  chatEnabled: true,
  origins: ['https://maple.example'],
  color: '#0f5f8c',
  greeting: { en: 'Hi! How can we help?', es: '¡Hola! ¿En qué podemos ayudar?' },
  hours: null,
};
const saveSettings = (changes: Partial<ChatSettings> = {}, as: TestOffice = t.maple) =>
  t.call(chatSettings.saveChatSettings, { body: { ...settings, ...changes } }, { as });
beforeAll(async () => void (await saveSettings()));

let address: Promise<string> | undefined;
const listening = () => (address ??= t.listen());

let networks = 0;
/** A visitor on a network of their own. */
async function start(of: TestOffice = t.maple, name?: string) {
  const remoteAddress = `198.51.${Math.floor(++networks / 250)}.${networks % 250}`;
  const payload = { consent: true, language: 'en', ...(name !== undefined && { name }) };
  const answer = await t.app.inject({ method: 'POST', url: `/api/website-chat/${of.npi}`, payload, remoteAddress });
  return { status: answer.statusCode, body: answer.json(), token: answer.json().token as string };
}
const read = (token: string, after = 0) =>
  t.call(websiteChat.readChat, { query: { after: String(after) } }, { as: { token } });
const write = (token: string, body: string, clientId: string = crypto.randomUUID()) =>
  t.call(websiteChat.sendVisitorMessage, { body: { clientId, body } }, { as: { token } });
const inbox = async (as: TestOffice = t.maple) =>
  (await t.call(conversations.readInbox, { query: { filter: 'all' } }, { as })).body.conversations;
const answerAs = (conversationId: string, body: string) =>
  t.call(conversationMessages.sendMessage, { body: { conversationId, body } });
const thread = async (id: string) => (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;
const newestConversation = async () => (await inbox())[0]?.pk ?? '';

test('a practice that has not turned its chat on is answered like an unknown one', async () => {
  const off = await t.call(websiteChat.readChatFront, { params: { npi: t.other.npi } }, { as: null });
  const unknown = await t.call(websiteChat.readChatFront, { params: { npi: '2999999999' } }, { as: null });
  expect([off.status, off.body]).toEqual([404, unknown.body]);
  expect((await start(t.other)).body.code).toBe('chat_off');
});

test('a new practice turns its chat on after it is confirmed', async () => {
  const limited = await t.office({ name: 'New Practice', confirmedBy: null });
  const { status, body } = await saveSettings({}, limited);
  expect([status, body.code]).toEqual([403, 'limited_chat']);
});

test('settings that make no sense are refused', async () => {
  for (const wrong of [
    { origins: ['https://maple.example/contact'] },
    { origins: ['javascript:alert(1)'] },
    { origins: ["https://maple.example; script-src 'unsafe-inline'"] },
    { origins: ['https://maple.example', 'https://maple.example'] },
    { color: 'red' },
  ])
    expect((await saveSettings(wrong)).status, JSON.stringify(wrong)).toBe(400);
});

test('a visitor sees the name of the practice, its greeting, its hours and how soon it answers', async () => {
  const { body } = await t.call(websiteChat.readChatFront, { params: { npi: t.maple.npi } }, { as: null });
  expect(body).toMatchObject({
    officeName: 'Maple Street Pediatrics',
    greeting: settings.greeting,
    isOpen: true,
    expectedReplyMinutes: null,
  });
});

test('the expected time of a reply comes from the message settings, for visitors and in the settings of the chat', async () => {
  const of = await t.office();
  await saveSettings({}, of);
  const { body: before } = await t.call(messageSettings.readMessageSettings, {}, { as: of });
  await t.call(messageSettings.saveMessageSettings, { body: { ...before, expectedReplyMinutes: 15 } }, { as: of });
  const front = await t.call(websiteChat.readChatFront, { params: { npi: of.npi } }, { as: null });
  expect(front.body.expectedReplyMinutes).toBe(15);
  expect((await t.call(chatSettings.readChatSettings, {}, { as: of })).body.expectedReplyMinutes).toBe(15);
  expect((await t.call(chatSettings.readChatSettings, {}, { as: t.maple })).body.expectedReplyMinutes).toBeNull();
});

test('a page that polls an unchanged chat gets 304, and the next message again', async () => {
  const { token } = await start();
  await write(token, 'Hello');
  const poll = (known?: string) =>
    t.app.inject({
      url: '/api/visitor-chat?after=1',
      headers: { authorization: `Bearer ${token}`, ...(known !== undefined && { 'if-none-match': known }) },
    });
  const { etag } = (await poll()).headers;
  t.later(0.1);
  expect((await poll(etag)).statusCode).toBe(304);
  await answerAs(await newestConversation(), 'Hi!');
  const next = await poll(etag);
  expect([next.statusCode, next.json().messages]).toEqual([200, [expect.objectContaining({ body: 'Hi!' })]]);
});

test('without consent there is no conversation', async () => {
  const body = { consent: false, language: 'en' } as never;
  expect((await t.call(websiteChat.startChat, { params: { npi: t.maple.npi }, body }, { as: null })).status).toBe(400);
});

test('the desk sees a visitor when they write, and each sees what the other wrote', async () => {
  const { token } = await start(t.maple, ' Zoë\u202e\u200f ');
  expect((await inbox()).map(({ properties }) => properties.patientName)).not.toContain('Zoë');
  expect((await write(token, 'Are you open on Friday?')).body).toMatchObject({ from: 'visitor', sequence: 1 });
  const [conversation] = await inbox();
  expect(conversation).toMatchObject({ channel: 'web', doctorUnread: 1, properties: { patientName: 'Zoë' } });
  await answerAs(conversation?.pk ?? '', 'Yes, until 5 PM.');
  const { body } = await read(token, 1);
  expect(body.messages).toEqual([
    expect.objectContaining({ from: 'office', body: 'Yes, until 5 PM.', clientId: null }),
  ]);
  expect(JSON.stringify(body)).not.toContain(t.maple.staffName);
});

test('a link of ours that a visitor pastes opens nothing for the desk', async () => {
  const { token } = await start();
  await write(token, `My link does not work: https://chat.example/episode/${'A'.repeat(32)}`);
  expect((await thread(await newestConversation())).messages[0]?.body).toBe('My link does not work: {link}');
});

test('a message sent twice at once with one client id is there once, and both calls get it', async () => {
  const { token } = await start();
  const [one, two] = await Promise.all([write(token, 'Hello?', 'once'), write(token, 'Hello?', 'once')]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body).toEqual(two.body);
  expect((await read(token)).body.messages).toHaveLength(1);
});

test('a visitor sends a picture, which the desk opens; another visitor cannot', async () => {
  const [{ token }, stranger] = [await start(), await start()];
  const { body } = await sendVisitorForm(t, { clientId: 'p1', body: 'My card' }, { attachment: await photo(), token });
  expect(body).toMatchObject({ body: 'My card', picture: { id: expect.any(String) } });
  const id = await newestConversation();
  const attachmentId = body.picture?.id ?? '';
  const opened = await t.call(conversationMessages.linkToPicture, { params: { id, attachmentId } });
  expect(opened.status).toBe(200);
  const own = await t.call(websiteChat.linkToChatPicture, { params: { attachmentId } }, { as: { token } });
  expect((await t.app.inject(own.body.url)).headers['content-type']).toBe('image/jpeg');
  const theirs = await t.call(websiteChat.linkToChatPicture, { params: { attachmentId } }, { as: stranger });
  expect(theirs.status).toBe(404);
});

test('the desk’s picture reaches the visitor', async () => {
  const { token } = await start();
  await write(token, 'Which door is it?');
  const id = await newestConversation();
  await sendForm(t, `/chat-conversation/${id}/messages`, { type: 'image' }, { attachment: await photo() });
  const attachmentId = (await read(token, 1)).body.messages[0]?.picture?.id ?? '';
  expect((await t.call(websiteChat.linkToChatPicture, { params: { attachmentId } }, { as: { token } })).status).toBe(
    200,
  );
});

test('a file that is not a picture is refused', async () => {
  const { token } = await start();
  const { status } = await sendVisitorForm(t, { clientId: 'x' }, { attachment: Buffer.from('<svg/>'), token });
  expect(status).toBe(415);
});

test('one network opens 20 conversations an hour, and another one is not held up', async () => {
  const payload = { consent: true, language: 'en' };
  const from = async (remoteAddress: string) =>
    (await t.app.inject({ method: 'POST', url: `/api/website-chat/${t.maple.npi}`, payload, remoteAddress }))
      .statusCode;
  const statuses = await Promise.all(Array.from({ length: 21 }, () => from('203.0.113.9')));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await from('203.0.113.10')).toBe(200);
});

test('a visitor sends 15 messages a minute; a retry of one of them is not counted', async () => {
  const { token } = await start();
  for (let i = 0; i < 15; i++) await write(token, `Question ${i}`, `q${i}`);
  const { status, body, headers } = await write(token, 'One more');
  expect([status, body.code]).toEqual([429, 'too_many_messages']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await write(token, 'Question 3', 'q3')).status).toBe(200);
});

test('a token works for a day after its last use, and opens one conversation only', async () => {
  const [{ token }, other] = [await start(), await start()];
  await write(token, 'Mine');
  expect((await read(other.token)).body.messages).toEqual([]);
  t.later(23 * 60);
  expect((await read(token)).status).toBe(200);
  t.later(23 * 60);
  expect((await read(token)).status).toBe(200);
  t.later(25 * 60);
  const { status, body } = await read(token);
  expect([status, body.code]).toEqual([401, 'chat_ended']);
  expect((await read(t.maple.token)).body.code).toBe('chat_ended');
});

test('a visitor’s token opens nothing of the desk', async () => {
  const { token } = await start();
  const replies = [
    await t.call(conversations.readInbox, { query: {} }, { as: { token } }),
    await t.call(chatSettings.readChatSettings, {}, { as: { token }, headers: { 'x-office': t.maple.id } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 401]);
});

test('another practice does not see the visitor', async () => {
  const { token } = await start();
  await write(token, 'Private');
  const id = await newestConversation();
  const as = t.other;
  expect((await t.call(conversations.readConversation, { params: { id }, query: {} }, { as })).status).toBe(404);
  expect((await inbox(as)).map(({ pk }) => pk)).not.toContain(id);
});

test('when the chat is turned off, running visitors read, and write no more', async () => {
  const { token } = await start();
  await write(token, 'Hello');
  await saveSettings({ chatEnabled: false });
  expect((await write(token, 'Still there?')).body.code).toBe('chat_off');
  expect((await read(token)).body.messages).toHaveLength(1);
  await saveSettings();
});

test('a visitor gives a name, which is one line without invisible characters, and the desk finds them by it', async () => {
  const { token } = await start();
  await write(token, 'Hello');
  await t.call(websiteChat.saveVisitorName, { body: { name: 'Émile\r\n\u2066Durand\u200b\u0007' } }, { as: { token } });
  const found = await t.call(conversations.searchInbox, { body: { search: 'emile' } });
  expect(found.body.conversations.map(({ properties }) => properties.patientName)).toEqual(['Émile Durand']);
});

const codeFor = async (phone: string) => {
  const mail = await t.services.db
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', phone)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return /\d{6}/.exec(mail?.body ?? '')?.[0] ?? '';
};
const askCode = (token: string, phone: string) =>
  t.call(websiteChat.sendVisitorCode, { body: { phone } }, { as: { token } });
const tryCode = (token: string, code: string) =>
  t.call(websiteChat.verifyVisitorPhone, { body: { code } }, { as: { token } });

test('a visitor proves a number by a code, and the desk finds them by its digits', async () => {
  const { token } = await start();
  await write(token, 'Please text me');
  expect((await askCode(token, '(212) 555-0161')).status).toBe(200);
  expect((await askCode(token, '(212) 555-0161')).body.code).toBe('too_many_tries');
  expect((await tryCode(token, '000000')).body.code).toBe('wrong_code');
  expect((await tryCode(token, await codeFor('+12125550161'))).body).toEqual({ phoneEnding: '61' });
  expect((await read(token)).body.phoneEnding).toBe('61');
  const found = await t.call(conversations.searchInbox, { body: { search: '2125550161' } });
  expect(found.body.conversations).toHaveLength(1);
});

test('five wrong tries use a code up, and a code expires after three minutes', async () => {
  const { token } = await start();
  await askCode(token, '(212) 555-0162');
  const code = await codeFor('+12125550162');
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => tryCode(token, code === '000000' ? '111111' : '000000')),
  );
  const codes = tries.map(({ body }) => body.code).sort();
  expect(codes).toEqual([...Array(3).fill('code_used_up'), ...Array(5).fill('wrong_code')]);
  expect((await tryCode(token, code)).body.code).toBe('code_used_up');
  const late = await start();
  await askCode(late.token, '(212) 555-0163');
  t.later(4);
  expect((await tryCode(late.token, await codeFor('+12125550163'))).body.code).toBe('code_expired');
});

test('one phone gets five codes a day, whichever visitors ask', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await askCode((await start()).token, '(212) 555-0164')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('a visitor’s page hears of an answer and that the desk writes; the desk hears that the visitor writes', async () => {
  const address = await listening();
  const [{ token }, stranger] = [await start(), await start()];
  await write(token, 'Hello?');
  const id = await newestConversation();
  const page = await openLiveClient(address, { visitor: token });
  const others = await openLiveClient(address, { visitor: stranger.token });
  const desk = await openLiveClient(address, { office: t.maple.id, token: t.maple.token });
  await t.call(conversationMessages.noteWriting, { params: { id } });
  expect(await page.nextHint()).toEqual({ type: 'writing' });
  await answerAs(id, 'Hi!');
  await expect.poll(() => page.hints.map(({ type }) => type)).toEqual(['writing', 'messages']);
  await t.call(websiteChat.noteVisitorWriting, {}, { as: { token } });
  await expect.poll(() => desk.hints.at(-1)).toEqual({ type: 'writing', writing: { conversation: id, person: null } });
  expect([page.hints.length, others.hints]).toEqual([2, []]);
  await expect(openLiveClient(address, { visitor: 'A'.repeat(43) })).rejects.toThrow();
  for (const client of [page, others, desk]) client.close();
});

test('every step of a visitor is in the audit log, without their words', async () => {
  const { token } = await start(t.maple, 'Ada');
  await write(token, 'Hello');
  await read(token);
  await read(token, 1);
  const id = await newestConversation();
  const entries = (await t.auditEntries()).filter(({ subject }) => subject === id);
  expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    'patient chat.start',
    'patient message.receive',
    'patient chat.read',
  ]);
});

test('the desk sees whether the visitor is there: until they leave, and again when they are back', async () => {
  const { token } = await start();
  await write(token, 'From the website');
  const id = await newestConversation();
  expect((await thread(id)).visitor).toEqual({ lastSeen: null, phone: null, textBlock: null, blocked: false });
  await t.call(websiteChat.leaveChat, {}, { as: { token } });
  expect((await thread(id)).visitor?.lastSeen).toBe(t.now().toISOString());
  await read(token);
  expect((await thread(id)).visitor?.lastSeen).toBeNull();
});

test('a chat that its visitor ended opens no more, also for a call that was on its way; the desk keeps it', async () => {
  const { token } = await start();
  await write(token, 'Thanks, bye');
  const id = await newestConversation();
  const found = await visitorOf(t.services, token);
  if (!found) throw new Error('the token opens no chat');
  expect((await t.call(websiteChat.endChat, {}, { as: { token } })).status).toBe(200);
  await noteSeen(officeScope(t.services, t.maple.id, systemActor, 'test'), { ...found, leftAt: t.now() });
  expect((await read(token)).body.code).toBe('chat_ended');
  const { messages, visitor } = await thread(id);
  expect([messages.length, visitor?.lastSeen]).toEqual([1, t.now().toISOString()]);
});

test('a visitor who wrote nothing makes no desk fetch again when they leave and are back', async () => {
  // A practice of its own: no hint of an earlier test is on its way to the desk.
  const quiet = await t.office({ name: 'Quiet Practice', settings: { chatEnabled: true } });
  const [silent, writer] = [await start(quiet), await start(quiet)];
  const desk = await openLiveClient(await listening(), { office: quiet.id, token: quiet.token });
  for (const { token } of [silent, writer]) {
    await t.call(websiteChat.leaveChat, {}, { as: { token } });
    await read(token);
  }
  await write(writer.token, 'Hello');
  await expect.poll(() => desk.hints.map(({ type }) => type)).toEqual(['messages']);
  desk.close();
});

test('a website shows the test page while the chat is on', async () => {
  const page = (of: TestOffice) => t.app.inject(`/widget-test/${of.npi}`);
  const shown = await page(t.maple);
  expect([shown.statusCode, shown.body]).toEqual([
    200,
    expect.stringContaining(`<script src="/widget.js" data-office="${t.maple.npi}" async></script>`),
  ]);
  // What is shown to copy has the whole address.
  expect(shown.body).toContain(`&#60;script src=&#34;${t.env.publicUrl}/widget.js&#34;`);
  expect((await page(t.other)).statusCode).toBe(404);
  expect((await t.app.inject('/widget-test/page.css')).statusCode).toBe(200);
});
