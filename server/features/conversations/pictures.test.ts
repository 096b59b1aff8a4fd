import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { chatConversations, conversationMessages, conversations, patient, queue } from '#contract/index.ts';
import { longestMessage, longestPictureText, pictureMaxBytes } from '#contract/conversations/messages.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';
import { sweepPictures } from './jobs.ts';
import { judgePicture, storePicture } from './pictures.ts';
import { openVisitorConversation } from './visitor-conversations.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;
/** The conversation with somebody who texted the practice. */
async function conversationWith(phone: string): Promise<string> {
  expect(await patientTexts(t, phone, 'Where do I park?')).toBe(200);
  const { body } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  return body.conversations[0]?.pk ?? '';
}
const path = (id: string) => `/chat-conversation/${id}/messages`;
const send = async (id: string, attachment: Buffer, more: { as?: TestOffice; body?: string; clientId?: string } = {}) =>
  sendForm(
    t,
    path(id),
    {
      type: 'image',
      ...(more.body !== undefined && { body: more.body }),
      ...(more.clientId !== undefined && { clientId: more.clientId }),
    },
    { attachment, ...(more.as && { as: more.as }) },
  );
const files = () => t.inOffice(t.maple, (tx) => tx.selectFrom('messageFile').selectAll().execute());
const textsTo = async (phone: string) => (await t.texts()).filter(({ toPhone }) => toPhone === phone);
const thread = async (id: string) => (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;

test('a picture is a message of the thread, and its person gets a text with a link that opens it', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const { status, body } = await send(id, await photo(300, 200), { body: 'Park behind the blue door' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    type: 'image',
    sender: 'doctor',
    body: 'Park behind the blue door',
    picture: { width: 300, height: 200 },
    state: 'queued',
  });
  expect((await thread(id)).conversation).toMatchObject({ lastType: 'image', unanswered: false });

  const text = (await textsTo(phone)).at(-1);
  expect(text?.body).toBe(
    'Park behind the blue door\nMaple Street Pediatrics sent you a picture. Open it within 24 hours: {link}',
  );
  const link = /http:\/\/localhost:3000(\/files\/[\w-]{64})$/.exec(text?.sent ?? '')?.[1] ?? '';
  expect((await visitPage(link)).body).toContain('Maple Street Pediatrics sent you a picture');
  const cookie = await press(link);
  const opened = await visitPage(link, cookie);
  expect([opened.statusCode, opened.headers['content-type']]).toEqual([200, 'image/jpeg']);
  const now = t.now();
  t.at(new Date(now.getTime() + 86_400_000).toISOString());
  const ended = await visitPage(link, cookie);
  expect([ended.statusCode, ended.body]).toEqual([
    404,
    expect.stringContaining('reply to the text and ask for it again'),
  ]);
  expect((await t.app.inject({ method: 'GET', url: link, headers: { accept: 'image/*' } })).json().code).toBe(
    'not_found',
  );
  t.at(now.toISOString());
});

/** Opens a link as a browser does. */
const visitPage = (url: string, cookie = '') =>
  t.app.inject({ method: 'GET', url, headers: { cookie, accept: 'text/html', 'accept-language': 'en' } });
const pressButton = (url: string, cookie = '') =>
  t.app.inject({
    method: 'POST',
    url,
    headers: { cookie, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
/** The cookie of the browser that opened the link. */
async function press(url: string): Promise<string> {
  const { statusCode, headers } = await pressButton(url);
  expect([statusCode, headers.location]).toEqual([303, url]);
  const [cookie = '', ...rules] = String(headers['set-cookie']).split('; ');
  expect(rules).toEqual(expect.arrayContaining([`Path=${url}`, 'HttpOnly', 'SameSite=Lax', 'Max-Age=86400']));
  return cookie;
}
async function textedLink(phone: string): Promise<string> {
  await send(await conversationWith(phone), await photo(300, 200));
  return /(\/files\/[\w-]{64})$/.exec((await textsTo(phone)).at(-1)?.sent ?? '')?.[1] ?? '';
}

test('a texted picture opens in the browser that opened it first, and in no other', async () => {
  const link = await textedLink(newPhone());
  const cookie = await press(link);
  for (const other of ['', 'opened-link=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) {
    const { statusCode, body } = await visitPage(link, other);
    expect([statusCode, body]).toEqual([403, expect.stringContaining('already opened elsewhere')]);
    expect((await pressButton(link, other)).statusCode).toBe(403);
  }
  expect((await visitPage(await textedLink(newPhone()), cookie)).headers['content-type']).toContain('text/html');
  expect((await pressButton(link, cookie)).statusCode).toBe(303);
  expect((await visitPage(link, cookie)).headers['content-type']).toBe('image/jpeg');
});

test('when ten browsers open a texted picture at once, one gets it; a link preview gets none', async () => {
  const link = await textedLink(newPhone());
  await visitPage(link);
  const pressed = await Promise.all(Array.from({ length: 10 }, () => pressButton(link)));
  expect(pressed.map(({ statusCode }) => statusCode).sort()).toEqual([303, ...Array.from({ length: 9 }, () => 403)]);
});

test('a picture for a patient of today is shown with their visit, and on their page', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone, language: 'es' });
  const id = await conversationWith(phone);
  const { body: sent } = await send(id, await photo(300, 200), { body: 'La puerta azul' });
  const { messages } = (await t.call(queue.readVisit, { params: { visitId: visit.id } })).body;
  expect(messages.at(-1)).toMatchObject({
    body: 'La puerta azul',
    textId: sent.textId,
    picture: { id: sent.objectKey, conversationId: id, width: 300, height: 200 },
  });
  const token = await t.provedToken(visit.id);
  const page = await t.call(patient.readPatientVisit, { params: { token } }, { as: null });
  expect(page.body.messages.at(-1)).toMatchObject({
    body: 'La puerta azul',
    picture: { id: sent.objectKey, width: 300, height: 200 },
  });
});

test('the desk opens a picture by a link of two minutes; another practice does not', async () => {
  const id = await conversationWith(newPhone());
  const attachmentId = (await send(id, await photo())).body.objectKey ?? '';
  const params = { id, attachmentId };
  const { body } = await t.call(conversationMessages.linkToPicture, { params });
  expect(body.url).toMatch(/^\/files\/[\w-]{64}$/);
  expect((await t.app.inject({ method: 'GET', url: body.url })).headers['content-type']).toBe('image/jpeg');
  const binary = await t.call(chatConversations.readChatAttachment, { params, query: {} });
  expect([binary.status, binary.headers['content-type']]).toEqual([200, 'image/jpeg']);
  for (const e of [conversationMessages.linkToPicture, chatConversations.readChatAttachment]) {
    expect((await t.call(e, { params, query: {} } as never, { as: t.other })).status).toBe(404);
    const elsewhere = { id: await conversationWith(newPhone()), attachmentId };
    expect((await t.call(e, { params: elsewhere, query: {} } as never)).status).toBe(404);
  }
});

test('a picture is re-encoded without its metadata', async () => {
  const secret = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCam' } })
    .toBuffer();
  expect(secret.toString('latin1')).toContain('SecretCam');
  const id = await conversationWith(newPhone());
  const attachmentId = (await send(id, secret)).body.objectKey ?? '';
  const { url } = (await t.call(conversationMessages.linkToPicture, { params: { id, attachmentId } })).body;
  const { statusCode, rawPayload } = await t.app.inject({ method: 'GET', url });
  expect([statusCode, (await sharp(rawPayload).metadata()).width]).toEqual([200, 40]);
  expect(rawPayload.toString('latin1')).not.toContain('SecretCam');
});

test('a picture sent twice with one client id is one message and one text', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const picture = await photo();
  const replies = await Promise.all([1, 2].map(() => send(id, picture, { clientId: 'tap' })));
  expect(new Set(replies.map(({ body }) => body._id)).size).toBe(1);
  expect(await textsTo(phone)).toHaveLength(1);
  expect((await send(id, picture, { clientId: 'tap' })).body._id).toBe(replies[0]?.body._id);
});

test('a picture to a number that sent STOP is refused, and nothing is stored', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  await patientTexts(t, phone, 'STOP');
  const before = await files();
  const refused = await send(id, await photo());
  expect([refused.status, refused.body.code]).toEqual([409, 'number_opted_out']);
  expect(await files()).toEqual(before);
});

test.each<[string, Buffer, number, string]>([
  ['a text file', Buffer.from('hello'), 415, 'picture_unreadable'],
  ['half a picture', (await photo()).subarray(0, 200), 415, 'picture_unreadable'],
  [
    'a WebP picture',
    await sharp(await photo())
      .webp()
      .toBuffer(),
    415,
    'picture_unreadable',
  ],
  ['a file of more than 10 MB', randomBytes(pictureMaxBytes + 1), 413, 'picture_too_large'],
  ['a form of more than that', randomBytes(pictureMaxBytes + 100_000), 413, 'picture_too_large'],
])('%s is refused as a picture', async (_what, attachment, status, code) => {
  const refused = await send(await conversationWith(newPhone()), attachment);
  expect([refused.status, refused.body.code]).toEqual([status, code]);
});

test('a form sends words too, and needs a picture for an image', async () => {
  const id = await conversationWith(newPhone());
  const textReply = await sendForm(t, path(id), { type: 'text', body: 'Lot B' });
  expect(textReply.body).toMatchObject({ type: 'text', body: 'Lot B' });
  expect((await sendForm(t, path(id), { type: 'image' })).body.code).toBe('picture_unreadable');
  expect((await sendForm(t, path(id), { type: 'text' })).body.code).toBe('empty_message');
  expect((await sendForm(t, path(id), { type: 'sound', body: 'x' })).body.code).toBe('invalid_input');
  const older = await sendForm(t, '/conversation/send/', { conversationId: id, type: 'text', body: 'Lot C' });
  expect(older.body).toMatchObject({ body: 'Lot C', conversationId: id });
  expect((await sendForm(t, '/conversation/send/', { type: 'text', body: 'Lot C' })).body.code).toBe('invalid_input');
});

test('the words of a picture are refused beyond 1,400 characters, because its text also has a sentence and a link', async () => {
  const phone = newPhone();
  const id = await conversationWith(phone);
  const tooLong = await send(id, await photo(), { body: 'x'.repeat(longestPictureText + 1) });
  expect([tooLong.status, tooLong.body.code]).toEqual([400, 'invalid_input']);
  expect((await send(id, await photo(), { body: 'x'.repeat(longestPictureText) })).status).toBe(200);
  expect((await textsTo(phone)).at(-1)?.sent.length).toBeLessThanOrEqual(longestMessage);
});

test('a form with many parts is refused, because reading them would hold up everybody', async () => {
  const id = await conversationWith(newPhone());
  const more = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`more${i}`, '']));
  const refused = await sendForm(t, path(id), { type: 'text', body: 'Lot B', ...more });
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_input']);
  expect((await thread(id)).messages).toHaveLength(1);
});

test('a form is read only for a signed-in caller of the same practice', async () => {
  const id = await conversationWith(newPhone());
  const attachment = await photo();
  expect((await sendForm(t, path(id), { type: 'image' }, { attachment, as: null })).status).toBe(401);
  expect((await send(id, attachment, { as: t.other })).status).toBe(404);
});

test('the thirty-first picture of an hour in one conversation is refused', async () => {
  const id = await openVisitorConversation(t.scopeOf(t.maple), { channel: 'web', name: 'Visitor' });
  const picture = await photo();
  for (let i = 0; i < 30; i++) expect((await send(id, picture)).status).toBe(200);
  const refused = await send(id, picture);
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_pictures']);
});

test('the hourly sweep deletes pictures that no message shows', async () => {
  const id = await conversationWith(newPhone());
  const shown = (await send(id, await photo())).body.objectKey ?? '';
  const scope = t.scopeOf(t.maple);
  const left = await storePicture(scope, id, await judgePicture(await photo(), 'network'));
  await sweepPictures(t.services);
  expect((await files()).map((file) => file.id)).toContain(left.id);
  t.later(61);
  await sweepPictures(t.services);
  const ids = (await files()).map((file) => file.id);
  expect([ids.includes(shown), ids.includes(left.id)]).toEqual([true, false]);
  expect(await t.services.providers.storage.head(left.objectKey)).toBeNull();
});
