import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatSettings, websiteChat } from '#contract/index.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendVisitorForm } from '#testing/fixtures/pictures.ts';

const t = await openTestApp();
afterAll(() => t.close());

const saveSettings = (chatEnabled: boolean) =>
  t.call(chatSettings.saveChatSettings, {
    body: { chatEnabled, origins: [], color: '#0f5f8c', greeting: { en: 'Hi!', es: '¡Hola!' }, hours: null },
  });
beforeAll(async () => void (await saveSettings(true)));

let networks = 0;
/** The token of a visitor on a network of their own. */
async function start(): Promise<{ token: string }> {
  const payload = { consent: true, language: 'es' };
  const remoteAddress = `198.51.9.${++networks}`;
  const answer = await t.app.inject({
    method: 'POST',
    url: `/api/website-chat/${t.maple.npi}`,
    payload,
    remoteAddress,
  });
  return { token: answer.json().token as string };
}
const rename = (as: { token: string }, name: string) => t.call(websiteChat.saveVisitorName, { body: { name } }, { as });
const read = (as: { token: string }) => t.call(websiteChat.readChat, { query: {} }, { as });
const write = (as: { token: string }, body: string) =>
  t.call(websiteChat.sendVisitorMessage, { body: { clientId: crypto.randomUUID(), body } }, { as });
const askCode = (as: { token: string }, phone: string) =>
  t.call(websiteChat.sendVisitorCode, { body: { phone } }, { as });
const entriesOf = async (action: string) => (await t.auditEntries()).filter((entry) => entry.action === action).length;
const pointsOf = async (name: string, key: string) =>
  (
    await t.owner
      .selectFrom('rateLimit')
      .select('points')
      .where('key', '=', rateLimitKey({ name, points: 0, seconds: 0 }, key))
      .executeTakeFirst()
  )?.points;

test('a visitor’s pictures take nothing from those that patients text, and a refused one nothing from the practice', async () => {
  const { token } = await start();
  const attachment = Buffer.from('no picture');
  const codes = [];
  for (let n = 0; n < 17; n++) {
    const { status } = await sendVisitorForm(t, { clientId: `p${n}` }, { attachment, token });
    codes.push(status);
  }
  expect(codes.filter((code) => code === 429)).toHaveLength(2);
  expect(await pointsOf('chat-pictures-office', t.maple.id)).toBe(15);
  expect(await pointsOf('incoming-pictures', t.maple.id)).toBeUndefined();
});

test('a visitor changes the name ten times an hour', async () => {
  const visitor = await start();
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await rename(visitor, `Name ${n}`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(await entriesOf('chat.name')).toBe(10);
});

test('repeated reads of a visitor make one audit entry', async () => {
  const visitor = await start();
  await write(visitor, 'Hello');
  for (let n = 0; n < 4; n++) expect((await read(visitor)).body.messages).toHaveLength(1);
  expect(await entriesOf('chat.read')).toBe(1);
});

test('a phone that gets no more codes takes nothing from the practice’s limit', async () => {
  for (let n = 0; n < 7; n++) await askCode(await start(), '(212) 555-0171');
  expect(await pointsOf('chat-code-office', t.maple.id)).toBe(5);
});

test('the code’s text names the practice, in the visitor’s language: it is not taken for a code to sign in', async () => {
  await askCode(await start(), '(212) 555-0172');
  const { body } = await t.services.db
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', '+12125550172')
    .executeTakeFirstOrThrow();
  expect(body).toMatch(/^\d{6} confirma su número en el chat con Maple Street Pediatrics\. Es válido por 3 minutos\.$/);
});

test('after the practice turns its chat off, a visitor reads and does nothing else', async () => {
  const visitor = await start();
  await write(visitor, 'Hello');
  await saveSettings(false);
  const refused = [
    await rename(visitor, 'Ada'),
    await askCode(visitor, '(212) 555-0173'),
    await t.call(websiteChat.verifyVisitorPhone, { body: { code: '123456' } }, { as: visitor }),
    await t.call(websiteChat.noteVisitorWriting, {}, { as: visitor }),
    await write(visitor, 'Still there?'),
  ];
  expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'chat_off'));
  expect((await read(visitor)).body.messages).toHaveLength(1);
  await saveSettings(true);
});

test('five networks that write as much as they may do not silence the practice’s chat', async () => {
  const { token } = await start();
  await write({ token }, 'Hello');
  const key = rateLimitKey({ name: 'chat-messages-office', points: 0, seconds: 0 }, t.maple.id);
  await t.owner.updateTable('rateLimit').set({ points: 300 }).where('key', '=', key).execute();
  expect((await write({ token }, 'My child has a fever')).status).toBe(200);
});

const usePoints = (name: string, owner: string, points: number) =>
  t.owner
    .insertInto('rateLimit')
    .values({ key: rateLimitKey({ name, points, seconds: 0 }, owner), points, expire: 9_999_999_999_999 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ points }))
    .execute();
const from = (remoteAddress: string, { token }: { token: string }, path: string, payload: object) =>
  t.app.inject({
    method: 'POST',
    url: `/api/visitor-chat/${path}`,
    payload,
    remoteAddress,
    headers: { authorization: `Bearer ${token}` },
  });
const writeFrom = async (remoteAddress: string, as: { token: string }) =>
  (await from(remoteAddress, as, 'messages', { clientId: crypto.randomUUID(), body: 'Hello' })).statusCode;
const askFrom = async (remoteAddress: string, as: { token: string }, phone: string) =>
  (await from(remoteAddress, as, 'phone', { phone })).statusCode;

test('the networks of one IPv6 site write four times what one of them may', async () => {
  const visitor = await start();
  await usePoints('chat-messages-network-site', '2001:db8:79/48', 239);
  expect([await writeFrom('2001:db8:79:1::1', visitor), await writeFrom('2001:db8:79:2::1', visitor)]).toEqual([
    200, 429,
  ]);
  expect(await writeFrom('2001:db8:80::1', visitor)).toBe(200);
});

test('a visitor writes 100 messages an hour, and a network 200 to one practice', async () => {
  const [one, two] = [await start(), await start()];
  await write(one, 'Hello');
  await t.owner.updateTable('rateLimit').set({ points: 100 }).where('key', 'like', 'chat-messages-hour:%').execute();
  expect((await write(one, 'Again')).body.code).toBe('too_many_messages');
  await usePoints('chat-messages-network-hour', `${t.maple.id} 198.51.99.1`, 200);
  expect([await writeFrom('198.51.99.1', two), await writeFrom('198.51.99.2', two)]).toEqual([429, 200]);
});

test('the networks of one IPv6 site get twice the codes of one of them', async () => {
  await usePoints('chat-code-network-site', '2001:db8:81/48', 19);
  const phones = ['(212) 555-0174', '(212) 555-0175'];
  expect(await askFrom('2001:db8:81:1::1', await start(), phones[0] ?? '')).toBe(200);
  expect(await askFrom('2001:db8:81:2::1', await start(), phones[1] ?? '')).toBe(429);
});

test('a network that gets no more codes takes none from the phones it names', async () => {
  await usePoints('chat-code-network', '198.51.99.3', 10);
  expect(await askFrom('198.51.99.3', await start(), '(212) 555-0176')).toBe(429);
  expect(await pointsOf('chat-code-phone', '+12125550176')).toBeUndefined();
});

test('a picture is counted before it is received, also the same one again and again', async () => {
  const { token } = await start();
  const attachment = await photo();
  const statuses = [];
  for (let n = 0; n < 17; n++)
    statuses.push((await sendVisitorForm(t, { clientId: 'same' }, { attachment, token })).status);
  expect([statuses[0], statuses[14], statuses.slice(15)]).toEqual([200, 200, [429, 429]]);
});

test('neither one visitor nor one network can use up the website’s daily limit of pictures', async () => {
  const { token } = await start();
  const attachment = await photo();
  const send = async () =>
    (await sendVisitorForm(t, { clientId: crypto.randomUUID() }, { attachment, token })).body.code;
  expect(await send()).toBeUndefined();
  const key = 'chat-picture-kilobytes:%';
  await t.owner.updateTable('rateLimit').set({ points: 15_000 }).where('key', 'like', key).execute();
  expect(await send()).toBe('too_many_pictures');
  await t.owner.updateTable('rateLimit').set({ points: 0 }).where('key', 'like', key).execute();
  await usePoints('chat-picture-kilobytes-network', `${t.maple.id} 127.0.0.1`, 30_000);
  expect(await send()).toBe('too_many_pictures');
});

test('a visitor’s page asks for 600 links to pictures an hour', async () => {
  const as = await start();
  const attachmentId = crypto.randomUUID();
  const link = async () => (await t.call(websiteChat.linkToChatPicture, { params: { attachmentId } }, { as })).status;
  expect(await link()).toBe(404);
  await t.owner.updateTable('rateLimit').set({ points: 600 }).where('key', 'like', 'chat-picture-links:%').execute();
  expect(await link()).toBe(429);
});

test('a token that is used each day ends thirty days after the visitor agreed', async () => {
  const visitor = await start();
  const statuses = [];
  for (let day = 0; day < 32; day++) {
    statuses.push((await read(visitor)).status);
    t.later(23.5 * 60);
  }
  expect(statuses.lastIndexOf(200)).toBe(30);
});

test('the networks of one IPv6 site start four times what one of them may, and leave the practice’s limit to others', async () => {
  const payload = { consent: true, language: 'en' };
  const from = async (remoteAddress: string) =>
    (await t.app.inject({ method: 'POST', url: `/api/website-chat/${t.maple.npi}`, payload, remoteAddress }))
      .statusCode;
  expect(await from('2001:db8:77:1::1')).toBe(200);
  const site = { name: 'chat-starts-site', points: 80, seconds: 3600 };
  const key = rateLimitKey(site, `${t.maple.id} 2001:db8:77/48`);
  await t.owner.updateTable('rateLimit').set({ points: 79 }).where('key', '=', key).execute();
  expect([await from('2001:db8:77:2::1'), await from('2001:db8:77:3::1')]).toEqual([200, 429]);
  expect(await from('2001:db8:78::1')).toBe(200);
});
