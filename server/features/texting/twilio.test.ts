import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConversation, searchInbox } from '#contract/conversations/inbox.ts';
import { sendMessage } from '#contract/conversations/messages.ts';
import { readPublicConfig } from '#contract/practice/office.ts';
import { moveVisit, readVisit } from '#contract/queue.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { addText, quickPace, sendDueTexts, textOfVisit, textRow } from '#testing/fixtures/texts.ts';
import type { TwilioMessage } from '#testing/stand-ins/twilio-account.ts';
import { openTwilio, type TwilioStandIn } from '#testing/stand-ins/twilio.ts';
import { resolveAbandonedTexts } from './send-texts.ts';

let t: TestApp;
let twilio: TwilioStandIn;
const publicUrl = 'https://clinic.example';
beforeAll(async () => {
  twilio = await openTwilio({ now: () => new Date(), publicUrl });
  t = await openTestApp({ env: { ...twilio.env, PUBLIC_URL: publicUrl, LOG_LEVEL: 'silent' } });
});
afterAll(async () => {
  await t.close();
  await twilio.close();
});
beforeEach(async () => {
  twilio.trouble('createMessage');
  twilio.trouble('listMessages');
  twilio.settings.isListed = () => true;
  await sendDueTexts(t.services); // what an earlier test left queued
});

let phones = 0;
const newPhone = () => `+1646555${String(4000 + ++phones)}`;
const messagesTo = (phone: string) => twilio.messages.filter(({ to }) => to === phone);
const newestTo = (phone: string) => messagesTo(phone).at(-1) as TwilioMessage;
const officeNumber = async () => (await textRow(t, await addText(t, { toPhone: newPhone() }))).fromPhone ?? '';
const messagesOf = async (visitId: string) => (await t.call(readVisit, { params: { visitId } })).body.messages;
const impatient = { ...quickPace, leaseMs: 400, answerWithinMs: 200 };
const worker = { name: 'test', pace: { ...quickPace, answerWithinMs: 2_000, giveUpAfterMs: 120_000 } };

/** As if the text had been claimed so long ago by a worker that died. */
const claimedAgo = (id: string, ms: number) =>
  t.inOffice(t.maple, (tx) =>
    tx
      .updateTable('text')
      .set({ claimedAt: new Date(Date.now() - ms), leaseUntil: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute(),
  );

test('the panel no longer says that texts are only simulated', async () => {
  const { localProviders } = (await t.call(readPublicConfig)).body;
  expect(localProviders).toContain('email');
  expect(localProviders).not.toContain('sms');
});

describe('texts and replies through Twilio', () => {
  test('an invite is sent and delivered, and STOP ends further texts', async () => {
    const phone = newPhone();
    const visit = await t.visit({ phone, moves: ['invite'] });
    await sendDueTexts(t.services);
    const message = newestTo(phone);
    expect(await textOfVisit(t, visit.id)).toMatchObject({ state: 'sent', providerId: message.sid });

    const answer = await t.app.inject(twilio.reportOf(message, 'sent'));
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/xml',
      '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    ]);
    expect(await twilio.report(t.app, message, 'delivered')).toBe(200);
    expect(await textOfVisit(t, visit.id)).toMatchObject({ state: 'delivered' });

    const later = await addText(t, { toPhone: phone, sendAt: new Date(t.now().getTime() + 60_000) });
    expect(await twilio.reply(t.app, { from: phone, to: message.from, body: ' Stop ' })).toBe(200);
    expect(await textRow(t, later)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
    await t.call(moveVisit, { body: { id: visit.id, action: 'REINVITED' } });
    await sendDueTexts(t.services);
    expect(messagesTo(phone)).toHaveLength(1);
    expect((await messagesOf(visit.id)).at(-1)).toMatchObject({ state: 'failed', problem: 'opted-out' });
  });

  test('a reply that Twilio delivers 20 times appears once in the conversation', async () => {
    const phone = newPhone();
    const visit = await t.visit({ phone });
    const call = twilio.replyOf({ from: phone, to: await officeNumber(), body: '¿Qué puerta? 👍 a=b&c' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => t.app.inject(call)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(await messagesOf(visit.id)).toMatchObject([{ from: 'patient', body: '¿Qué puerta? 👍 a=b&c' }]);
  });

  test('a replayed STOP does not undo the START after it', async () => {
    const [phone, to] = [newPhone(), await officeNumber()];
    const stop = twilio.replyOf({ from: phone, to, body: 'STOP' });
    expect((await t.app.inject(stop)).statusCode).toBe(200);
    await twilio.reply(t.app, { from: phone, to, body: 'START' });
    expect((await t.app.inject(stop)).statusCode).toBe(200);
    expect(await textRow(t, await addText(t, { toPhone: phone }))).toMatchObject({ state: 'queued' });
  });

  test('Twilio confirms STOP and START itself; PARAR, which it does not know, is confirmed by us', async () => {
    const [english, spanish, to] = [newPhone(), newPhone(), await officeNumber()];
    await twilio.reply(t.app, { from: english, to, body: ' Stop ' });
    await twilio.reply(t.app, { from: english, to, body: 'START' });
    await twilio.reply(t.app, { from: spanish, to, body: 'PARAR' });
    const texts = (await t.texts()).filter(({ toPhone }) => [english, spanish].includes(toPhone));
    expect(texts.map(({ toPhone, kind }) => [toPhone, kind])).toEqual([[spanish, 'notice']]);
  });

  test('a reply without text, with a NUL or of 1,700 characters is accepted', async () => {
    const phone = newPhone();
    await t.visit({ phone });
    const to = await officeNumber();
    for (const body of ['', 'a\0b', 'x'.repeat(1_700)])
      expect(await twilio.reply(t.app, { from: phone, to, body })).toBe(200);
  });

  test('a STOP counts although its file has a long type or a URL that nothing fits', async () => {
    const [phone, to] = [newPhone(), await officeNumber()];
    const files = [
      { url: `https://api.twilio.example/${'x'.repeat(500)}`, type: `image/png; name="${'y'.repeat(200)}"` },
    ];
    expect((await t.app.inject(twilio.replyOf({ from: phone, to, body: 'STOP', files }))).statusCode).toBe(200);
    expect(await textRow(t, await addText(t, { toPhone: phone }))).toMatchObject({ errorClass: 'opted-out' });
  });

  test.each(['+525512345678', '+4532123456', '72894'])(
    'a text from %s, which we text nothing, is in the inbox once; it gets no answer',
    async (from) => {
      const to = await officeNumber();
      const sid = `SM${from.replace(/\D/g, '').padEnd(32, '0')}`;
      for (const body of ['I land at noon', 'I land at noon'])
        expect(await twilio.reply(t.app, { from, to, body, sid })).toBe(200);
      const found = await t.call(searchInbox, { body: { search: from.slice(-3) } });
      const id = found.body.conversations.find(({ phone }) => phone === from)?.pk ?? '';
      const thread = (await t.call(readConversation, { params: { id }, query: {} })).body;
      expect(thread.messages.map(({ body }) => body)).toEqual(['I land at noon']);
      const answer = await t.call(sendMessage, { body: { conversationId: id, body: 'See you' } });
      expect(answer.body).toMatchObject({ code: 'number_not_textable' });
      expect(await twilio.reply(t.app, { from, to, body: 'HELP' })).toBe(200);
      expect((await t.texts()).filter(({ toPhone }) => toPhone === from)).toEqual([]);
    },
  );
});

describe('reports', () => {
  const sent = async () => {
    const id = await addText(t, { toPhone: newPhone() });
    await sendDueTexts(t.services);
    return { id, message: newestTo((await textRow(t, id)).toPhone) };
  };

  test('reports in any order move the status of a text only forward', async () => {
    const { id, message } = await sent();
    for (const status of ['sending', 'queued', 'accepted', 'sent', 'scheduled', 'receiving'])
      expect(await twilio.report(t.app, message, status)).toBe(200);
    expect(await textRow(t, id)).toMatchObject({ state: 'sent' });
    await twilio.report(t.app, message, 'delivered');
    const delivered = await textRow(t, id);
    for (const status of ['sent', 'queued', 'undelivered', 'failed', 'delivered', 'canceled', 'status-of-tomorrow'])
      expect(await twilio.report(t.app, message, status, 30_003)).toBe(200);
    expect(await textRow(t, id)).toEqual(delivered);
  });

  test.each([
    ['undelivered', 30_003, 'delivery'],
    ['undelivered', 30_005, 'bad-number'],
    ['undelivered', 30_006, 'landline'],
    ['undelivered', 30_007, 'delivery'],
    ['failed', 30_034, 'sender'],
    ['failed', 30_022, 'rate'],
    ['failed', 21_610, 'opted-out'],
    ['failed', undefined, 'delivery'],
    ['undelivered', 30_999, 'delivery'],
    ['canceled', undefined, 'delivery'],
  ])('a report of %s with code %j fails the text as %s', async (status, code, errorClass) => {
    const { id, message } = await sent();
    expect(await twilio.report(t.app, message, status, code)).toBe(200);
    expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass });
  });

  test('reports that arrive before the answer to our own call settle the text, which is sent once', async () => {
    const id = await addText(t, { toPhone: newPhone() });
    const { toPhone } = await textRow(t, id);
    twilio.trouble('createMessage', 'silence after');
    await sendDueTexts(t.services, impatient);
    expect(await textRow(t, id)).toMatchObject({ state: 'sending', providerId: null });
    await twilio.report(t.app, newestTo(toPhone), 'delivered');
    expect(await textRow(t, id)).toMatchObject({ state: 'delivered', providerId: newestTo(toPhone).sid });
    await claimedAgo(id, 100_000);
    await resolveAbandonedTexts(t.services, worker);
    await sendDueTexts(t.services);
    expect(messagesTo(toPhone)).toHaveLength(1);
  });

  test('a report with a forged reference applies only to the text with its message id', async () => {
    const mine = await sent();
    const other = await sent();
    const address = new URL(mine.message.statusCallback);
    address.searchParams.set('ref', new URL(other.message.statusCallback).searchParams.get('ref') ?? '');
    await t.app.inject(
      twilio.callOf(address.href, { MessageSid: mine.message.sid, MessageStatus: 'failed', ErrorCode: '30003' }),
    );
    expect([(await textRow(t, mine.id)).state, (await textRow(t, other.id)).state]).toEqual(['failed', 'sent']);
  });

  test('a report about a sign-in code, which is not in the ledger, is accepted', async () => {
    const { sms } = t.services.providers;
    await sms.send({ from: t.env.codeNumber, to: newPhone(), body: 'Your code', reference: t.services.id() });
    expect(await twilio.report(t.app, twilio.messages.at(-1) as TwilioMessage, 'delivered')).toBe(200);
  });
});

describe('a webhook call', () => {
  const stop = async () => {
    const phone = newPhone();
    const call = twilio.replyOf({ from: phone, to: await officeNumber(), body: 'STOP' });
    return { phone, call };
  };
  const isOut = async (phone: string) => (await textRow(t, await addText(t, { toPhone: phone }))).state === 'failed';

  test.each<[string, (call: ReturnType<TwilioStandIn['replyOf']>) => object]>([
    ['a changed field', (call) => ({ payload: call.payload.replace('STOP', 'END') })],
    ['an added field', (call) => ({ payload: `${call.payload}&X=1` })],
    ['no signature', ({ headers }) => ({ headers: { 'content-type': headers['content-type'] } })],
    ['an empty signature', ({ headers }) => ({ headers: { ...headers, 'x-twilio-signature': '' } })],
    ['another address', ({ url }) => ({ url: `${url}?x=1` })],
    ['the other callback', () => ({ url: '/api/sms/status' })],
    ['another content type', ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/json' } })],
  ])('a webhook call with %s is refused with 403 and changes nothing', async (_what, change) => {
    const { phone, call } = await stop();
    expect((await t.app.inject({ ...call, ...change(call) })).statusCode).toBe(403);
    expect(await isOut(phone)).toBe(false);
  });

  test('a webhook call is verified against PUBLIC_URL, whatever the Host header says', async () => {
    const { phone, call } = await stop();
    const headers = { ...call.headers, host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    expect((await t.app.inject({ ...call, headers })).statusCode).toBe(200);
    expect(await isOut(phone)).toBe(true);
    const elsewhere = await openTwilio({ now: () => new Date(), publicUrl: 'https://evil.example' });
    const forged = elsewhere.replyOf({ from: newPhone(), to: await officeNumber(), body: 'STOP' });
    await elsewhere.close();
    expect((await t.app.inject({ ...forged, headers: { ...forged.headers, host: 'evil.example' } })).statusCode).toBe(
      403,
    );
  });

  test("a webhook call with the local carrier's signature is refused", async () => {
    const { phone, call } = await stop();
    const headers = { 'content-type': 'application/json', 'anteroom-signature': 't=1,v1=00' };
    expect((await t.app.inject({ ...call, headers, payload: '{}' })).statusCode).toBe(403);
    expect(await isOut(phone)).toBe(false);
  });

  test('a webhook call that is signed but empty is answered with 400', async () => {
    expect((await t.app.inject(twilio.callOf(`${publicUrl}/api/sms/status`, {}))).statusCode).toBe(400);
    expect((await t.app.inject(twilio.callOf(`${publicUrl}/api/sms/inbound`, {}))).statusCode).toBe(400);
  });
});

describe('a text with an unknown outcome', () => {
  const unanswered = async (trouble: 'silence after' | 'cut' | 'error after', body = 'Hello') => {
    const id = await addText(t, { toPhone: newPhone(), body });
    twilio.trouble('createMessage', trouble);
    await sendDueTexts(t.services, impatient);
    const { toPhone, state } = await textRow(t, id);
    expect(state).toBe('sending');
    return { id, toPhone };
  };
  const lookUp = async (id: string, agoMs: number) => {
    await claimedAgo(id, agoMs);
    await resolveAbandonedTexts(t.services, worker);
    await sendDueTexts(t.services);
    return (await textRow(t, id)).state;
  };

  test.each(['silence after', 'error after'] as const)(
    'a text is found in the list and not sent again: %s Twilio took it',
    async (trouble) => {
      const { id, toPhone } = await unanswered(trouble);
      expect(await lookUp(id, 21_000)).toBe('sent');
      expect(messagesTo(toPhone)).toHaveLength(1);
    },
  );

  test('a text that Twilio lists late waits and is not sent again', async () => {
    const { id, toPhone } = await unanswered('silence after');
    twilio.settings.isListed = () => false;
    for (const agoMs of [21_000, 41_000, 61_000, 81_000]) expect(await lookUp(id, agoMs)).toBe('sending');
    twilio.settings.isListed = () => true;
    expect(await lookUp(id, 89_000)).toBe('sent');
    expect(messagesTo(toPhone)).toHaveLength(1);
  });

  test('a text that Twilio never received is sent again after 90 seconds', async () => {
    const { id, toPhone } = await unanswered('cut');
    expect(await lookUp(id, 81_000)).toBe('sending');
    expect(await lookUp(id, 101_000)).toBe('sent');
    expect(messagesTo(toPhone)).toHaveLength(1);
  });

  test('a text becomes unknown when the list fails for two minutes, and a late report settles it', async () => {
    const { id, toPhone } = await unanswered('silence after');
    const away = Array.from({ length: 9 }, () => ({ status: 503 }));
    twilio.trouble('listMessages', ...away);
    expect(await lookUp(id, 121_000)).toBe('unknown');
    await twilio.report(t.app, newestTo(toPhone), 'delivered');
    expect((await textRow(t, id)).state).toBe('delivered');
  });

  test('an unknown text is not confused with another of the same body, and neither is sent again', async () => {
    const { id, toPhone } = await unanswered('silence after', 'The same');
    const twin = await addText(t, { toPhone, body: 'The same' });
    twilio.trouble('createMessage', 'cut');
    await sendDueTexts(t.services, impatient);
    expect((await textRow(t, twin)).state).toBe('sending');
    await claimedAgo(twin, 100_000);
    expect(await lookUp(id, 100_000)).toBe('sending');
    await claimedAgo(twin, 121_000);
    expect(await lookUp(id, 121_000)).toBe('unknown');
    expect((await textRow(t, twin)).state).toBe('unknown');
    expect(messagesTo(toPhone)).toHaveLength(1);
  });

  test('an unknown text is not mistaken for one with the same body that Twilio confirmed', async () => {
    const known = await addText(t, { toPhone: newPhone(), body: 'The same' });
    await sendDueTexts(t.services);
    const { toPhone } = await textRow(t, known);
    const id = await addText(t, { toPhone, body: 'The same' });
    twilio.trouble('createMessage', 'cut');
    await sendDueTexts(t.services, impatient);
    expect(await lookUp(id, 101_000)).toBe('sent');
    expect(messagesTo(toPhone)).toHaveLength(2);
  });
});

test('a text stays queued while Twilio answers 429 and is sent later', async () => {
  const id = await addText(t, { toPhone: newPhone() });
  twilio.trouble('createMessage', ...Array.from({ length: 3 }, () => ({ status: 429, code: 20_429 })));
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'queued' });
  t.later(0.1);
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent' });
});

test('a text with a link is found in the list by its complete body', async () => {
  const id = await addText(t, {
    toPhone: newPhone(),
    body: 'Your visit: {link}',
    link: `${publicUrl}/visit/${'x'.repeat(32)}`,
  });
  twilio.trouble('createMessage', 'silence after');
  await sendDueTexts(t.services, impatient);
  await claimedAgo(id, 21_000);
  await resolveAbandonedTexts(t.services, worker);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent', sealedLink: null });
});
