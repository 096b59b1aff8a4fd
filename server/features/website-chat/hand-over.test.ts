import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatSettings, conversationMessages, conversations, websiteChat } from '#contract/index.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());
beforeAll(async () => {
  const settings = { chatEnabled: true, origins: [], color: '#0f5f8c', greeting: { en: '', es: '' }, hours: null };
  await t.call(chatSettings.saveChatSettings, { body: settings });
});

let phones = 0;
/** A visitor who has written, with a proved number unless `verified` is false. */
async function visitor({ verified = true, language = 'en' }: { verified?: boolean; language?: 'en' | 'es' } = {}) {
  const started = await t.call(
    websiteChat.startChat,
    { params: { npi: t.maple.npi }, body: { consent: true, language } },
    { as: null },
  );
  const as = { as: { token: started.body.token } };
  await t.call(
    websiteChat.sendVisitorMessage,
    { body: { clientId: crypto.randomUUID(), body: 'Do you have a flu shot?' } },
    as,
  );
  const phone = `+1646555${String(7100 + ++phones)}`;
  const { conversationId: id } = await t.inOffice(t.maple, (tx) =>
    tx
      .updateTable('visitor')
      .set(verified ? { phone } : {})
      .set({ language })
      .where('officeId', '=', t.maple.id)
      .where('tokenHash', '=', hashToken(started.body.token))
      .returning('conversationId')
      .executeTakeFirstOrThrow(),
  );
  const leave = () => t.call(websiteChat.leaveChat, {}, as);
  const read = () => t.call(websiteChat.readChat, { query: {} }, as);
  return { id, phone, as, leave, read };
}
const answer = (id: string, body: string, clientId: string = crypto.randomUUID()) =>
  t.call(conversationMessages.sendMessage, { body: { conversationId: id, body, clientId } });
const textsTo = async (phone: string) => (await t.texts()).filter(({ toPhone }) => toPhone === phone);
const bodies = async (id: string) =>
  (await t.call(conversations.readConversation, { params: { id }, query: {} })).body.messages.map(
    ({ sender, body }) => `${sender}: ${body}`,
  );

test('a visitor who has left gets the answer by text, and the conversation says so once', async () => {
  const { id, phone, leave } = await visitor();
  await leave();
  expect((await answer(id, 'Yes, on Friday.', 'a1')).status).toBe(200);
  expect((await answer(id, 'Yes, on Friday.', 'a1')).status).toBe(200);
  await answer(id, 'From 9 AM.');
  expect((await textsTo(phone)).map(({ sent }) => sent)).toEqual([
    'Maple Street Pediatrics: Yes, on Friday.',
    'Maple Street Pediatrics: From 9 AM.',
  ]);
  expect(await bodies(id)).toEqual([
    'patient: Do you have a flu shot?',
    'doctor: Yes, on Friday.',
    `bot: Nobody was on the chat page, so answers go by text to the number ending in ${phone.slice(-2)}.`,
    'doctor: From 9 AM.',
  ]);
});

test('a long answer goes out as one text: without the practice’s name, which would be too much for the carrier', async () => {
  const { id, phone, leave } = await visitor();
  await leave();
  const [fits, long] = ['a'.repeat(1600 - 'Maple Street Pediatrics: '.length), 'b'.repeat(1600)];
  for (const body of [fits, long]) expect((await answer(id, body)).status).toBe(200);
  expect((await textsTo(phone)).map(({ sent }) => sent)).toEqual([`Maple Street Pediatrics: ${fits}`, long]);
});

test('the answer and the reply are in the conversation with the number', async () => {
  const { id, phone, leave } = await visitor();
  await leave();
  await answer(id, 'Yes, on Friday.');
  await patientTexts(t, phone, 'Great, thanks!');
  const found = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  const texted = found.body.conversations.find(({ channel }) => channel === 'text');
  expect(await bodies(texted?.pk ?? '')).toEqual(['doctor: Yes, on Friday.', 'patient: Great, thanks!']);
});

test('a visitor who is there, is back, or proved no number gets no text', async () => {
  const [there, back, anonymous] = [await visitor(), await visitor(), await visitor({ verified: false })];
  await back.leave();
  await back.read();
  await anonymous.leave();
  for (const { id } of [there, back, anonymous]) expect((await answer(id, 'Hello!')).status).toBe(200);
  for (const { id, phone } of [there, back, anonymous]) {
    expect(await textsTo(phone)).toEqual([]);
    expect(await bodies(id)).toEqual(['patient: Do you have a flu shot?', 'doctor: Hello!']);
  }
});

test('a page that has been silent for three minutes counts as left; the note is in the visitor’s language', async () => {
  const { id, phone } = await visitor({ language: 'es' });
  t.later(3);
  await answer(id, 'Sí, el viernes.');
  expect(await textsTo(phone)).toHaveLength(1);
  expect((await bodies(id)).at(-1)).toMatch(/^bot: No había nadie en la página del chat, así que/);
});

test('a picture goes as a link, and a number that opted out gets nothing', async () => {
  const [picture, stopped] = [await visitor(), await visitor()];
  await picture.leave();
  const form = { type: 'image', body: 'This door' };
  const sent = await sendForm(t, `/chat-conversation/${picture.id}/messages`, form, { attachment: await photo() });
  expect(sent.status).toBe(200);
  expect((await textsTo(picture.phone))[0]?.sent).toMatch(
    /^This door\nMaple Street Pediatrics sent you a picture.*\/files\//s,
  );
  await patientTexts(t, stopped.phone, 'STOP');
  await stopped.leave();
  expect((await answer(stopped.id, 'Yes.')).status).toBe(200);
  expect((await textsTo(stopped.phone)).filter(({ body }) => body.includes('Yes.'))).toEqual([]);
  expect((await bodies(stopped.id)).at(-1)).toContain('gets no texts from us');
  const thread = await t.call(conversations.readConversation, { params: { id: stopped.id }, query: {} });
  expect(thread.body.visitor).toMatchObject({ phone: stopped.phone, textBlock: 'opted-out' });
});

test('after STOP to a texted answer, the conversation says of each further answer that it was not texted', async () => {
  const { id, phone, leave } = await visitor();
  await leave();
  await answer(id, 'Yes, on Friday.');
  await patientTexts(t, phone, 'STOP');
  await answer(id, 'From 9 AM.');
  expect((await textsTo(phone)).filter(({ body }) => body.includes('9 AM'))).toEqual([]);
  expect((await bodies(id)).slice(-2)).toEqual([
    'doctor: From 9 AM.',
    `bot: The answer above could not be sent by text to the number ending in ${phone.slice(-2)}. It is here only.`,
  ]);
});

test('after STOP and START the conversation says that answers go by text', async () => {
  const { id, phone, leave } = await visitor();
  await patientTexts(t, phone, 'STOP');
  await leave();
  await answer(id, 'Yes, on Friday.');
  await patientTexts(t, phone, 'START');
  await answer(id, 'From 9 AM.');
  expect((await bodies(id)).at(-1)).toContain('answers go by text');
});

test('beyond the limit of texts the answer is in the conversation all the same, which says that no text was sent', async () => {
  const { id, phone, leave } = await visitor();
  await leave();
  await answer(id, 'Yes, on Friday.');
  const statuses: number[] = [];
  // One number gets a few texts an hour.
  for (let n = 0; n < 40 && !(await bodies(id)).some((body) => body.includes('could not be sent')); n++)
    statuses.push((await answer(id, `And another thing, number ${n}.`)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const texted = await textsTo(phone);
  const written = await bodies(id);
  expect(written.at(-1)).toBe(
    `bot: The answer above could not be sent by text to the number ending in ${phone.slice(-2)}. It is here only.`,
  );
  expect(texted.map(({ body }) => body).join()).not.toContain(written.at(-2)?.replace('doctor: ', ''));
  // The retry of the desk's call says it once.
  const last = await answer(id, 'One more', 'again');
  await answer(id, 'One more', 'again');
  expect(last.status).toBe(200);
  expect((await bodies(id)).filter((body) => body.includes('could not be sent'))).toHaveLength(2);
});

test('an answer that the screen calls secure is not sent by text to a visitor who has just left', async () => {
  const { id, phone, leave, read } = await visitor();
  const send = (way: 'chat' | 'text') =>
    t.call(conversationMessages.sendMessage, { body: { conversationId: id, body: 'Your result is here.', way } });
  expect((await send('chat')).status).toBe(200);
  await leave();
  const { status, body } = await send('chat');
  expect([status, body.code]).toEqual([409, 'visitor_left']);
  const form = { type: 'image', way: 'chat' };
  const picture = await sendForm(t, `/chat-conversation/${id}/messages`, form, { attachment: await photo() });
  expect(picture.body.code).toBe('visitor_left');
  expect(await textsTo(phone)).toEqual([]);
  expect((await send('text')).status).toBe(200);
  expect(await textsTo(phone)).toHaveLength(1);
  await read();
  expect((await send('text')).status).toBe(200);
  expect(await textsTo(phone)).toHaveLength(1);
});

test('the desks hear that a visitor leaves and comes back', async () => {
  const { leave, read } = await visitor();
  const desk = await openLiveClient(await t.listen(), { office: t.maple.id, token: t.maple.token });
  const left = desk.nextHint();
  await leave();
  expect(await left).toEqual({ type: 'messages' });
  const back = desk.nextHint();
  await read();
  expect(await back).toEqual({ type: 'messages' });
  desk.close();
});

test('a number that replaces another one is a note: on a shared device it may be somebody else’s', async () => {
  const { id, as } = await visitor();
  await t.call(websiteChat.sendVisitorCode, { body: { phone: '(212) 555-0181' } }, as);
  const sent = t.services.db.selectFrom('dev.outbox').select('body').where('recipient', '=', '+12125550181');
  const code = /\d{6}/.exec((await sent.executeTakeFirstOrThrow()).body)?.[0] ?? '';
  expect((await t.call(websiteChat.verifyVisitorPhone, { body: { code } }, as)).status).toBe(200);
  expect((await bodies(id)).at(-1)).toBe(
    'bot: The visitor confirmed another number. Answers by text now go to the number ending in 81.',
  );
});

test('a page does not promise texts to a number that sent STOP', async () => {
  const { phone, read } = await visitor();
  expect((await read()).body).toMatchObject({ phoneEnding: phone.slice(-2), textsBlocked: false });
  await patientTexts(t, phone, 'STOP');
  expect((await read()).body.textsBlocked).toBe(true);
});
