import { afterAll, expect, test } from 'vitest';
import { conversations, messageSettings, sms } from '#contract/index.ts';
import type { QuietHours } from '#contract/practice/message-settings.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { activePatient, loadSurveys, surveysAt, textsTo } from '#testing/fixtures/episodes.ts';
import { patientTexts, releaseHeldTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';
import { zonesOfPhone } from './area-code-zones.ts';
import { quietHoursOf } from './quiet-hours.ts';

const open = { DEMO: '0', LOCAL_PROVIDERS: '1' };
const t = await openTestApp({ env: open });
afterAll(() => t.close());

const newYork = '+12125550123';
const losAngeles = '+12135550123';
const chicagoOrNewYork = '+18505550123';
const hawaii = '+18085550123';
const end = (iso: string, phone = newYork, quietHours?: QuietHours) => {
  const quiet = quietHoursOf({ timeZone: 'America/New_York', messageSettings: quietHours ? { quietHours } : {} });
  const minute = quiet(Date.parse(iso) / 60_000, phone);
  return minute === null ? null : new Date(minute * 60_000).toISOString();
};

test('an area code has its time zone, and those on a border have two', () => {
  expect(zonesOfPhone(newYork)).toEqual(['America/New_York']);
  expect(zonesOfPhone(losAngeles)).toEqual(['America/Los_Angeles']);
  expect(zonesOfPhone(chicagoOrNewYork)).toEqual(['America/New_York', 'America/Chicago']);
  expect(zonesOfPhone('+17875550123')).toEqual(['America/Puerto_Rico']);
});

test.each<[string, string, string, string | null]>([
  ['8:59 PM', newYork, '2026-03-03T01:59:00Z', null],
  ['9 PM until 8 AM', newYork, '2026-03-03T02:00:00Z', '2026-03-03T13:00:00.000Z'],
  ['after midnight until 8 AM', newYork, '2026-03-03T06:00:00Z', '2026-03-03T13:00:00.000Z'],
  ['8 AM', newYork, '2026-03-03T13:00:00Z', null],
  ['8 AM here but 5 AM there, until 8 AM there', losAngeles, '2026-03-03T13:00:00Z', '2026-03-03T16:00:00.000Z'],
  ['6 PM there but 9 PM here, until 8 AM there', losAngeles, '2026-03-03T02:00:00Z', '2026-03-03T16:00:00.000Z'],
  ['7:30 AM in the later of two zones', chicagoOrNewYork, '2026-03-03T13:30:00Z', '2026-03-03T14:00:00.000Z'],
  ['3 AM there', hawaii, '2026-03-03T13:00:00Z', '2026-03-03T18:00:00.000Z'],
  ['the night the clocks change', newYork, '2026-03-08T02:00:00Z', '2026-03-08T12:00:00.000Z'],
])('quiet hours: %s', (_when, phone, at, until) => expect(end(at, phone)).toBe(until));

test('a practice chooses its quiet hours, also within a day', () => {
  const lunch = { from: '12:00', until: '13:10' };
  expect(end('2026-03-03T17:05:00Z', newYork, lunch)).toBe('2026-03-03T18:10:00.000Z');
  expect(end('2026-03-03T18:10:00Z', newYork, lunch)).toBeNull();
  expect(end('2026-03-03T05:00:00Z', newYork, lunch)).toBeNull();
});

test('a list that is sent in quiet hours goes out after them, by each person’s clock', async () => {
  t.at('2026-03-03T03:00:00.000Z'); // 10 PM in New York
  const of = await t.office();
  const deliveryOptions = [newYork, losAngeles].map((phoneNumber) => ({ phoneNumber, sendAt: '' }));
  const body = { message: 'We are closed on Friday.', deliveryOptions };
  const preview = await t.call(sms.previewSms, { body }, { as: of });
  expect(preview.body).toMatchObject({
    atNight: 2,
    sentAtNight: 0,
    rows: [{ sendAt: '2026-03-03T13:00:00.000Z' }, { sendAt: '2026-03-03T16:00:00.000Z' }],
  });
  await t.call(sms.sendSms, { body }, { as: of });
  expect((await t.texts(of)).map(({ sendAt }) => sendAt.toISOString()).sort()).toEqual([
    '2026-03-03T13:00:00.000Z',
    '2026-03-03T16:00:00.000Z',
  ]);
});

test('a text before an appointment in the quiet hours goes out in them, and the preview says so', async () => {
  t.at('2026-03-03T03:00:00.000Z'); // 10 PM in New York
  const deliveryOptions = [
    { phoneNumber: newYork, appointmentAt: '2026-03-03T12:30:00.000Z' },
    { phoneNumber: chicagoOrNewYork, appointmentAt: '2026-03-03T14:30:00.000Z' },
  ];
  const preview = await t.call(sms.previewSms, { body: { message: 'See you soon.', deliveryOptions } });
  expect(preview.body).toMatchObject({
    atNight: 2,
    sentAtNight: 1,
    rows: [{ sendAt: '2026-03-03T11:30:00.000Z' }, { sendAt: '2026-03-03T14:00:00.000Z' }],
  });
});

test('the quiet hours of one practice are not another’s', async () => {
  t.at('2026-03-03T15:00:00.000Z'); // 10 AM in New York
  const [of, other] = [await t.office(), await t.office()];
  const { body: settings } = await t.call(messageSettings.readMessageSettings, {}, { as: of });
  const quietHours = { from: '09:00', until: '11:00' };
  await t.call(messageSettings.saveMessageSettings, { body: { ...settings, quietHours } }, { as: of });
  const body = { message: 'Hello', deliveryOptions: [{ phoneNumber: newYork, sendAt: '' }] };
  expect((await t.call(sms.sendSms, { body }, { as: of })).body.firstSendAt).toBe('2026-03-03T16:00:00.000Z');
  expect((await t.call(sms.sendSms, { body }, { as: other })).body.firstSendAt).toBe('2026-03-03T15:00:00.000Z');
});

test('the thread says when it is quiet there, and not for a patient who checked in today', async () => {
  t.at('2026-03-03T03:00:00.000Z'); // 10 PM in New York
  const quietUntil = async (phone: string) => {
    await patientTexts(t, phone, 'Hello?');
    const { body } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
    const thread = { params: { id: body.conversations[0]?.pk ?? '' }, query: {} };
    const { quiet } = (await t.call(conversations.readConversation, thread)).body;
    expect(quiet?.waits ?? true).toBe(true);
    return quiet?.until ?? null;
  };
  expect(await quietUntil('+16465558001')).toBe('2026-03-03T13:00:00.000Z');
  await t.visit({ phone: '+16465558002' });
  expect(await quietUntil('+16465558002')).toBeNull();
  t.at('2026-03-03T15:00:00.000Z');
  expect(await quietUntil('+16465558001')).toBeNull();
});

test('a text of a list that is late into quiet hours waits for their end, in its minute of the hour', async () => {
  t.at('2026-03-04T00:30:00.000Z'); // 7:30 PM in New York
  const of = await t.office();
  const late = '+12125550141';
  const before = '+12125550142';
  const deliveryOptions = [
    { phoneNumber: late, sendAt: '2026-03-04T01:55:00.000Z' },
    { phoneNumber: before, appointmentAt: '2026-03-04T02:58:00.000Z' },
  ];
  expect((await t.call(sms.sendSms, { body: { message: 'See you', deliveryOptions } }, { as: of })).status).toBe(200);
  const textTo = async (phone: string) => (await t.texts(of)).find(({ toPhone }) => toPhone === phone);
  t.at('2026-03-04T02:10:00.000Z'); // 9:10 PM
  await sendDueTexts(t.services);
  expect(await textTo(late)).toMatchObject({ state: 'queued', sendAt: new Date('2026-03-04T13:55:00.000Z') });
  expect(await textTo(before)).toMatchObject({ state: 'sent' });
  t.at('2026-03-04T13:54:00.000Z');
  expect(await sendDueTexts(t.services)).toBe(0);
  t.later(1);
  expect(await sendDueTexts(t.services)).toBe(1);
  expect(await textsTakenByCarrier(t, late)).toHaveLength(1);
});

test('a survey’s text that is late into quiet hours is held, an invitation that a desk sent is not', async () => {
  t.at('2026-03-07T01:50:00.000Z'); // 8:50 PM in New York
  await loadSurveys(t);
  const { phone } = await activePatient(t, { episodeDate: '2026-03-05' });
  await surveysAt(t, '2026-03-07T01:51:00.000Z');
  t.at('2026-03-07T02:10:00.000Z');
  await sendDueTexts(t.services);
  expect((await textsTo(t, phone)).map(({ state }) => state)).toEqual(['sent', 'held']);
});

test('a restored text of a list that the operator releases at night waits too; an invitation does not', async () => {
  t.at('2026-03-05T00:30:00.000Z');
  const of = await t.office();
  const body = {
    message: 'See you',
    deliveryOptions: [{ phoneNumber: losAngeles, sendAt: '2026-03-05T01:45:00.000Z' }],
  };
  await t.call(sms.sendSms, { body }, { as: of });
  const visit = await t.visit({ office: of, moves: ['invite'] });
  const sendAt = new Date('2026-03-05T01:45:00.000Z');
  await t.inOffice(of, (tx) =>
    tx.updateTable('text').set({ state: 'held', sendAt }).where('officeId', '=', of.id).execute(),
  );
  t.at('2026-03-05T02:15:00.000Z'); // 9:15 PM
  await releaseHeldTexts(t.services);
  await sendDueTexts(t.services);
  expect(
    (await t.texts(of)).map(({ toPhone, state, sendAt }) => [toPhone, state, sendAt.toISOString()]).sort(),
  ).toEqual(
    [
      [losAngeles, 'queued', '2026-03-05T16:45:00.000Z'],
      [visit.username, 'sent', sendAt.toISOString()],
    ].sort(),
  );
});
