import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { addText, sendDueTexts } from '#testing/fixtures/texts.ts';
import { EmailRefused } from './email/port.ts';

let t: TestApp;
const phone = '+16465550123';
const address = 'Front+Desk@maple.test';

beforeAll(async () => {
  t = await openTestApp();
  await addText(t, { toPhone: phone, body: 'First <b>&amp;</b> https://anteroom.test/visit/abc?x=1' });
  await sendDueTexts(t.services);
  t.later(1);
  await t.services.providers.email.send({ to: address, subject: 'Your code', text: '123456', reference: 'r' });
  t.later(1);
  await addText(t, { toPhone: '+16465550199', body: 'Second' });
  await sendDueTexts(t.services);
});
afterAll(() => t.close());

const json = async (to?: string) =>
  (await t.app.inject(`/dev/outbox.json${to === undefined ? '' : `?to=${to}`}`)).json<{ to: string }[]>();

test('/dev/outbox.json lists everything that would have been sent, newest first, with exactly these keys', async () => {
  const sent = await json();
  expect(sent.map(({ to }) => to)).toEqual(['+16465550199', address, phone]);
  for (const one of sent) expect(Object.keys(one)).toEqual(['id', 'channel', 'to', 'body', 'at']);
  expect(sent[1]).toMatchObject({ channel: 'email', body: 'Your code\n\n123456', at: '2026-03-02T15:01:00.000Z' });
});

test.each([
  '%2B16465550123',
  '+16465550123',
  '6465550123',
  '(646)%20555-0123',
  '1-646-555-0123',
  '555-0123',
  '646.555.0123',
])('/dev/outbox.json finds a phone number in any spelling: %s', async (spelled) => {
  expect((await json(spelled)).map(({ to }) => to)).toEqual([phone]);
});

test.each(['Front%2BDesk@maple.test', 'front+desk@maple.test', 'FRONT%2bDESK@MAPLE.TEST', 'front'])(
  '/dev/outbox.json finds an email address in any spelling: %s',
  async (spelled) => {
    expect((await json(spelled)).map(({ to }) => to)).toEqual([address]);
  },
);

test('/dev/outbox.json finds nothing for a meaningless filter', async () => {
  for (const to of ['+12125550000', 'desk@maple.test', 'no%25one', '%27%20or%201=1', '---', 'a%00z'])
    expect(await json(to)).toEqual([]);
});

test('/dev/outbox shows the same list, escaped, without inline script or style', async () => {
  const page = await t.app.inject('/dev/outbox?to=%2B16465550123');
  expect(page.headers['content-type']).toMatch(/html/);
  expect(page.body).toContain('First &#60;b&#62;&#38;amp;&#60;/b&#62; <a href="https://anteroom.test/visit/abc?x=1"');
  expect(page.body).not.toContain('Second');
  expect(page.body).not.toMatch(/<style|style=|<script(?! src=)| on\w+=/);
  for (const file of ['outbox.css', 'outbox.js']) expect((await t.app.inject(`/dev/${file}`)).statusCode).toBe(200);
});

test('/dev/outbox counts the segments of each text, as the carrier bills them, and of nothing else', async () => {
  const to = '+16465550177';
  await addText(t, { toPhone: to, body: `${'a'.repeat(160)}b` });
  await addText(t, { toPhone: to, body: '👋' });
  await sendDueTexts(t.services);
  const { body } = await t.app.inject(`/dev/outbox?to=${encodeURIComponent(to)}`);
  expect(body).toContain('<p class="quiet">2 segments · 161 characters · GSM-7</p>');
  expect(body).toContain('<p class="quiet">1 segment · 2 characters · UCS-2</p>');
  expect((await t.app.inject(`/dev/outbox?to=${address}`)).body).not.toContain('segment');
});

test('a reply from the outbox reaches the visit like a phone’s', async () => {
  const visit = await t.visit({ phone });
  const { textNumber } = await t.inOffice(t.maple, (tx) =>
    tx.selectFrom('office').select('textNumber').executeTakeFirstOrThrow(),
  );
  const answer = (payload: object) => t.app.inject({ method: 'POST', url: '/dev/outbox/reply', payload });
  expect((await answer({ to: textNumber, from: phone, body: 'I am at the back' })).statusCode).toBe(200);
  const messages = await t.inOffice(t.maple, (tx) =>
    tx.selectFrom('message').select(['sender', 'body']).where('visitId', '=', visit.id).execute(),
  );
  expect(messages).toEqual([{ sender: 'patient', body: 'I am at the back' }]);
  expect((await answer({ to: '+12125559999', from: phone, body: 'x' })).json()).toMatchObject({
    code: 'office_not_found',
  });
  expect((await answer({ to: textNumber, body: 'x' })).statusCode).toBe(400);
});

test("the demo's pages do not exist in production, except in a demo", async () => {
  const secrets = { SESSION_SECRET: 's'.repeat(32), AUDIT_SECRET: 'a'.repeat(32), WEBHOOK_SECRET: 'w'.repeat(32) };
  for (const [DEMO, status] of [
    [undefined, 404],
    ['1', 200],
  ] as const) {
    const production = await openTestApp({ env: { NODE_ENV: 'production', ...secrets, ...(DEMO && { DEMO }) } });
    for (const url of ['/dev/outbox', '/dev/outbox.json', '/dev/outbox.js', '/dev/outbox.css']) {
      expect((await production.app.inject(url)).statusCode).toBe(status);
    }
    const payload = { to: '+12125550150', from: phone, body: 'x' };
    const answer = await production.app.inject({ method: 'POST', url: '/dev/outbox/reply', payload });
    expect(answer.json()).toMatchObject({ code: DEMO ? 'office_not_found' : 'not_found' });
    for (const url of ['/dev/card/days', '/dev/charges/transfers', '/dev/practice-software']) {
      const play = await production.app.inject({ method: 'POST', url, payload: {} });
      expect(play.json()).toMatchObject({ code: DEMO ? 'invalid_input' : 'not_found' });
    }
    await production.close();
  }
});

test('the local mail server bounces and defers on request', async () => {
  const mail = { subject: 's', text: 't', reference: 'r' };
  const refused = (to: string) => t.services.providers.email.send({ ...mail, to }).catch((error: unknown) => error);
  expect(await refused('bounce@maple.test')).toMatchObject({ permanent: true });
  expect(await refused('grey@maple.test')).toMatchObject({ permanent: false });
  expect(await refused('bounce@maple.test')).toBeInstanceOf(EmailRefused);
});
