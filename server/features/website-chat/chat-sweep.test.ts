import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatSettings, websiteChat } from '#contract/index.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { sweepChats } from './jobs.ts';

const t = await openTestApp();
afterAll(() => t.close());
const settings = { chatEnabled: true, origins: [], color: '#0f5f8c', greeting: { en: '', es: '' }, hours: null };
beforeAll(async () => {
  for (const as of [t.maple, t.other]) await t.call(chatSettings.saveChatSettings, { body: settings }, { as });
});

let networks = 0;
async function start(of: TestOffice = t.maple): Promise<string> {
  const remoteAddress = `198.51.8.${++networks}`;
  const payload = { consent: true, language: 'en', name: 'Ada' };
  const answer = await t.app.inject({ method: 'POST', url: `/api/website-chat/${of.npi}`, payload, remoteAddress });
  return answer.json().token as string;
}
const write = (token: string) =>
  t.call(websiteChat.sendVisitorMessage, { body: { clientId: 'one', body: 'Hello' } }, { as: { token } });
const visitorOf = (token: string, of: TestOffice = t.maple) =>
  t.inOffice(of, (tx) =>
    tx
      .selectFrom('visitor')
      .selectAll()
      .where('officeId', '=', of.id)
      .where('tokenHash', '=', hashToken(token))
      .executeTakeFirst(),
  );
const chatsOf = (of: TestOffice) =>
  t.inOffice(of, async (tx) => {
    const rows = await tx.selectFrom('conversation').select('id').where('officeId', '=', of.id).execute();
    return rows.length;
  });

test('a chat that nobody wrote in goes once its token has ended; one with a message stays', async () => {
  const [empty, written, theirs] = [await start(), await start(), await start(t.other)];
  await write(written);
  t.later(23 * 60);
  const fresh = await start();
  await sweepChats(t.services);
  expect(await visitorOf(empty)).toBeDefined();
  t.later(2 * 60);
  await sweepChats(t.services);
  expect(await visitorOf(empty)).toBeUndefined();
  expect(await visitorOf(theirs, t.other)).toBeUndefined();
  expect(await visitorOf(written)).toBeDefined();
  expect(await visitorOf(fresh)).toBeDefined();
  expect([await chatsOf(t.maple), await chatsOf(t.other)]).toEqual([2, 0]);
});

test('a code that nobody used goes with the number it was sent to, one that still works stays', async () => {
  const [old, fresh] = [await start(), await start()];
  const ask = (token: string, phone: string) =>
    t.call(websiteChat.sendVisitorCode, { body: { phone } }, { as: { token } });
  await ask(old, '(212) 555-0181');
  t.later(70);
  await ask(fresh, '(212) 555-0182');
  await sweepChats(t.services);
  expect(await visitorOf(old)).toMatchObject({ codePhone: null, codeHash: null, codeExpiresAt: null });
  expect((await visitorOf(fresh))?.codePhone).toBe('+12125550182');
});
