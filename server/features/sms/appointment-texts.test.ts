import { afterAll, beforeEach, expect, test } from 'vitest';
import { messageSettings, sms } from '#contract/index.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, sendDueTexts } from '#testing/fixtures/texts.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** A practice of its own for each test, a week later, at 10 AM in New York: no test uses up the minutes or the limits of another. */
let desk: TestOffice;
beforeEach(async () => {
  testApp.later(7 * 24 * 60);
  await sendDueTexts(testApp.services);
  desk = await testApp.office();
});
const call: TestApp['call'] = (e, input, options = {}) => testApp.call(e, input, { as: desk, ...options });

const phone = (n: number) => `+1646555${String(n).padStart(4, '0')}`;
const inMinutes = (minutes: number) => new Date(testApp.now().getTime() + minutes * 60_000).toISOString();
/** A row of a list: a number, and an appointment so many minutes ahead. */
const row = (n: number, minutes: number) => ({ phoneNumber: phone(n), appointmentAt: inMinutes(minutes) });
const body = (...deliveryOptions: ReturnType<typeof row>[]) => ({ message: 'See you soon.', deliveryOptions });
const send = (...rows: ReturnType<typeof row>[]) => call(sms.sendSms, { body: body(...rows) });
const preview = async (...rows: ReturnType<typeof row>[]) => (await call(sms.previewSms, { body: body(...rows) })).body;
const texts = async () =>
  (await testApp.texts(desk)).map(({ toPhone, sendAt }) => [toPhone, sendAt.toISOString()]).sort();

test('a text goes out at the lead time of the practice before each appointment', async () => {
  const { body: settings } = await call(messageSettings.readMessageSettings, {});
  expect(settings.appointmentLeadMinutes).toBe(60);
  expect((await send(row(1, 120), row(2, 26 * 60))).body).toMatchObject({ accepted: 2 });
  await call(messageSettings.saveMessageSettings, { body: { ...settings, appointmentLeadMinutes: 30 } });
  expect(await preview(row(3, 120))).toMatchObject({ people: 1, leadMinutes: 30, firstSendAt: inMinutes(90) });
  await send(row(3, 120));
  expect(await texts()).toEqual([
    [phone(1), inMinutes(60)],
    [phone(2), inMinutes(25 * 60)],
    [phone(3), inMinutes(90)],
  ]);
});

test('a text for an appointment within the lead time goes out now', async () => {
  await send(row(1, 20));
  expect(await texts()).toEqual([[phone(1), inMinutes(0)]]);
});

test.each([
  ['now', 0, 'bad-time'],
  ['in the past', -30, 'bad-time'],
  ['in a minute', 1, 'ready'],
  ['in 7 days', 7 * 1440, 'ready'],
  ['in more than 7 days', 7 * 1440 + 1, 'bad-time'],
])('an appointment %s is answered as the rule says', async (_when, minutes, status) => {
  expect((await preview(row(1, minutes))).rows).toMatchObject([{ status }]);
  expect((await send(row(1, minutes))).status).toBe(status === 'ready' ? 200 : 400);
  expect(await texts()).toHaveLength(status === 'ready' ? 1 : 0);
});

test('a list that is uploaded twice texts nobody twice, and says who is left out', async () => {
  const list = [row(1, 120), row(2, 180)];
  await send(...list);
  expect(await preview(...list)).toMatchObject({
    people: 0,
    alreadyTexted: 2,
    rows: [{ status: 'already-texted' }, {}],
  });
  expect(await send(...list)).toMatchObject({ status: 409, body: { code: 'already_texted' } });
  expect(await preview(...list, row(3, 180))).toMatchObject({ people: 1, alreadyTexted: 2 });
  expect((await send(...list, row(3, 180))).body).toMatchObject({ accepted: 1, alreadyTexted: 2 });
  expect(await texts()).toHaveLength(3);
});

test('two desks that send the same list at once text each person once', async () => {
  const list = [row(1, 120), row(2, 120), row(3, 180)];
  const answers = await Promise.all([send(...list), send(...list)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await texts()).toHaveLength(3);
});

test('an appointment that moved within the day gets no second text; one on another day gets its own', async () => {
  await send(row(1, 120));
  expect(await preview(row(1, 180), row(1, 26 * 60))).toMatchObject({
    people: 0,
    rows: [{ status: 'already-texted' }, { status: 'duplicate' }],
  });
  expect((await send(row(1, 26 * 60))).body).toMatchObject({ accepted: 1 });
});

test('after a text was canceled, its number can be texted again', async () => {
  const { body: sent } = await send(row(1, 120));
  await call(sms.cancelText, { params: { textId: sent.textIds[0] ?? '' } });
  expect((await send(row(1, 120))).body).toMatchObject({ accepted: 1, alreadyTexted: 0 });
});

test('somebody with two appointments is texted once, before the first', async () => {
  const answer = await send(row(1, 240), row(2, 180), row(1, 120));
  expect(answer.body).toMatchObject({ accepted: 2, duplicates: 1 });
  expect(await texts()).toEqual([
    [phone(1), inMinutes(60)],
    [phone(2), inMinutes(120)],
  ]);
});

test('the texts of many appointments at one time are spread, and none goes out after the appointment', async () => {
  const { body: settings } = await call(messageSettings.readMessageSettings, {});
  await call(messageSettings.saveMessageSettings, { body: { ...settings, appointmentLeadMinutes: 5 } });
  const list = Array.from({ length: 30 }, (_, n) => row(n + 1, 60));
  expect((await send(...list)).body).toMatchObject({ accepted: 30 });
  const minutes = (await texts()).map(([, at = '']) => (Date.parse(at) - testApp.now().getTime()) / 60_000);
  expect(Math.min(...minutes)).toBe(55);
  expect(Math.max(...minutes)).toBe(59);
});

test('texts that cannot wait for their turn have a limit per hour, and the front desk can still text', async () => {
  const list = (from: number, size: number) => Array.from({ length: size }, (_, n) => row(from + n, 1));
  // 5 of them go out at the pace of lists.
  expect((await send(...list(0, 205))).body).toMatchObject({ accepted: 205 });
  const refused = await send(...list(300, 101));
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_texts' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  expect(await texts()).toHaveLength(205);
  expect((await send(...list(300, 100))).body).toMatchObject({ accepted: 100 });
  expect((await send(...list(500, 1))).status).toBe(429);
  const later = { message: 'Hello', deliveryOptions: [{ phoneNumber: phone(600) }] };
  expect((await call(sms.sendSms, { body: later })).status).toBe(200);
  testApp.later(61);
  expect((await send(...list(500, 50))).status).toBe(200);
});

test('a number that opted out gets no text before its appointment', async () => {
  await call(sms.sendSms, { body: { message: 'Hello', deliveryOptions: [{ phoneNumber: phone(1) }] } });
  await sendDueTexts(testApp.services);
  await patientTexts(testApp, phone(1), 'STOP', { office: desk });
  expect((await send(row(1, 120), row(2, 120))).body).toMatchObject({ accepted: 1, optedOut: 1, alreadyTexted: 0 });
});

test('the appointments of another office leave nobody out', async () => {
  const other = await testApp.office();
  await call(sms.sendSms, { body: body(row(1, 120)) }, { as: other });
  expect(await preview(row(1, 120))).toMatchObject({ people: 1, alreadyTexted: 0 });
  expect((await send(row(1, 120))).body).toMatchObject({ accepted: 1 });
  expect(await texts()).toHaveLength(1);
});
