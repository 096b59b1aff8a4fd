import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EmailRefused } from '#server/providers/email/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { askForLink, openPage, pressSigningButton } from '#testing/fixtures/signing.ts';
import { sendDueReminders } from './reminders.ts';

let t: TestApp;
let sent: { to: string; subject: string; text: string; reference: string }[];
beforeAll(async () => {
  t = await openTestApp();
  const { email } = t.services.providers;
  t.services.providers.email = { ...email, send: async (mail) => void sent.push(mail) };
});
beforeEach(() => void (sent = []));
afterAll(() => t.close());

const days = (n: number) => n * 24 * 60;
const emailOf = (office: TestOffice) => `staff-${office.npi}@maple.test`;
const mailsTo = (office: TestOffice) => sent.filter(({ to }) => to === emailOf(office));
/** The days on which a reminder was sent; the job runs twice a day. */
async function remindedOn(office: TestOffice, forDays: number): Promise<number[]> {
  const on: number[] = [];
  for (let half = 1; half <= forDays * 2; half++) {
    t.later(days(0.5));
    const before = mailsTo(office).length;
    await sendDueReminders(t.services);
    if (mailsTo(office).length > before) on.push(half / 2);
  }
  return on;
}

test('an unsigned office is reminded after 5 days, then every 2 days, four times', async () => {
  const office = await t.office({ signed: false, name: 'Elm Street Family Care' });
  expect(await remindedOn(office, 20)).toEqual([5, 7, 9, 11]);
  const mails = mailsTo(office);
  expect(mails[0]?.subject).toBe('Elm Street Family Care: one signature and Anteroom is ready');
  expect(mails[0]?.text).toContain('http://localhost:3000/');
  expect(mails.map(({ text }) => text.includes('last reminder'))).toEqual([false, false, false, true]);
  expect(new Set(mails.map(({ reference }) => reference)).size).toBe(4);
  const actions = (await t.auditEntries(office)).map(({ action }) => action);
  expect(actions).toEqual(Array.from({ length: 4 }, () => 'agreement.remind'));
});

test('an office that signed is not reminded; one that declined is', async () => {
  const [signed, declined] = [await t.office({ signed: true }), await t.office({ signed: false })];
  const { key } = await openPage(t, (await askForLink(t, declined)).body.url ?? '');
  await pressSigningButton(t, key, 'decline');
  t.later(days(6));
  await sendDueReminders(t.services);
  expect([mailsTo(signed).length, mailsTo(declined).length]).toEqual([0, 1]);
});

test('an office whose signature only the provider knows is not reminded', async () => {
  const office = await t.office({ signed: false });
  const { key } = await openPage(t, (await askForLink(t, office)).body.url ?? '');
  t.later(0);
  await pressSigningButton(t, key, 'sign');
  t.later(days(6));
  await sendDueReminders(t.services);
  expect(mailsTo(office)).toEqual([]);
});

test('ten processes in parallel send one reminder', async () => {
  const office = await t.office({ signed: false });
  t.later(days(5.1));
  await Promise.all(Array.from({ length: 10 }, () => sendDueReminders(t.services)));
  expect(mailsTo(office)).toHaveLength(1);
});

test('after a week of downtime reminders continue two days apart, not all at once', async () => {
  const office = await t.office({ signed: false });
  t.later(days(30));
  await sendDueReminders(t.services);
  await sendDueReminders(t.services);
  expect(mailsTo(office)).toHaveLength(1);
  expect(await remindedOn(office, 8)).toEqual([2, 4, 6]);
});

test('a reminder to a full mailbox is retried; one to a missing mailbox is given up', async () => {
  const office = await t.office({ signed: false });
  t.later(days(5.1));
  const { email } = t.services.providers;
  const refusing = (permanent: boolean) => ({ ...email, send: () => Promise.reject(new EmailRefused(permanent)) });
  t.services.providers.email = refusing(false);
  await sendDueReminders(t.services);
  t.services.providers.email = email;
  await sendDueReminders(t.services);
  expect(mailsTo(office)).toEqual([]); // its ten minutes are not over
  t.later(11);
  await sendDueReminders(t.services);
  expect(mailsTo(office)).toHaveLength(1);
  t.later(days(2));
  t.services.providers.email = refusing(true);
  await sendDueReminders(t.services);
  t.services.providers.email = email;
  t.later(11);
  await sendDueReminders(t.services);
  expect(mailsTo(office)).toHaveLength(1);
  expect((await t.auditEntries(office)).at(-1)).toMatchObject({ action: 'agreement.remind', outcome: 'email_refused' });
});

test('a reminder is in the language of the office’s first member', async () => {
  const office = await t.office({ signed: false });
  await t.owner.updateTable('auth.person').set({ language: 'es' }).where('id', '=', office.personId).execute();
  t.later(days(5.1));
  await sendDueReminders(t.services);
  expect(mailsTo(office)[0]?.subject).toContain('falta una firma');
});
