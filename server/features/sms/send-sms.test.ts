import { afterAll, beforeEach, expect, test } from 'vitest';
import * as office from '#contract/practice/office.ts';
import { sms, smsCheckin } from '#contract/index.ts';
import { textLimits } from '#contract/texting.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** A practice of its own for each test, a week later: no test uses up the minutes or the limits of another. */
let desk: TestOffice;
beforeEach(async () => {
  testApp.later(7 * 24 * 60);
  await sendDueTexts(testApp.services);
  desk = await testApp.office();
});
/** A call of the practice's desk. */
const call: TestApp['call'] = (e, input, options = {}) => testApp.call(e, input, { as: desk, ...options });

const phone = (n: number) => `+1646555${String(n).padStart(4, '0')}`;
const to = (...phones: string[]) => phones.map((phoneNumber) => ({ phoneNumber, sendAt: '' }));
const inMinutes = (minutes: number) => new Date(testApp.now().getTime() + minutes * 60_000).toISOString();
const send = (
  deliveryOptions: { phoneNumber: string; sendAt?: string | null }[],
  message = 'The office closes at noon.',
) => call(sms.sendSms, { body: { message, deliveryOptions } });
/** Makes an office a new practice that is not confirmed yet. */
const limitPractice = () =>
  testApp.inOffice(desk, (tx) =>
    tx.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', desk.id).execute(),
  );

test('a text reaches the number, and no check-in is added', async () => {
  const sent = await send(to(phone(1)));
  expect(sent).toMatchObject({ status: 200, body: { accepted: 1, duplicates: 0, optedOut: 0, limited: 0 } });
  await sendDueTexts(testApp.services);
  expect(await textsTakenByCarrier(testApp, phone(1))).toMatchObject([{ body: 'The office closes at noon.' }]);
  const checkins = await call(smsCheckin.listSmsCheckins, { params: { officeId: desk.id } });
  expect(checkins.body).toEqual([]);
});

test('a scheduled text goes out at its time, not before', async () => {
  await send([{ phoneNumber: phone(1), sendAt: inMinutes(60) }]);
  testApp.later(59);
  expect(await sendDueTexts(testApp.services)).toBe(0);
  testApp.later(1);
  expect(await sendDueTexts(testApp.services)).toBe(1);
});

test('times with an offset, null and none are read, as in the lists of other programs', async () => {
  const inAnHour = new Date(Date.parse(inMinutes(60)) - 5 * 3_600_000).toISOString().replace('Z', '-05:00');
  const times = [inAnHour, null, '', undefined];
  const sent = await send(
    times.map((sendAt, i) => ({ phoneNumber: phone(i), ...(sendAt !== undefined && { sendAt }) })),
  );
  expect(sent).toMatchObject({ status: 200, body: { accepted: 4, lastSendAt: inMinutes(60) } });
});

test.each([
  ['less than 30 minutes ahead', 29, 400],
  ['30 minutes ahead', 30, 200],
  ['7 days ahead', 7 * 1440, 200],
  ['more than 7 days ahead', 7 * 1440 + 1, 400],
  ['in the past', -60, 400],
])('a text scheduled %s is answered as the rule says', async (_when, minutes, status) => {
  const sent = await send([...to(phone(1)), { phoneNumber: phone(2), sendAt: inMinutes(minutes) }]);
  expect(sent.status).toBe(status);
  expect(await testApp.texts(desk)).toHaveLength(status === 200 ? 2 : 0);
  if (status === 400)
    expect(sent.body).toMatchObject({
      code: 'invalid_delivery_options',
      title: 'Please fix the errors in the form',
      current: { rows: [{ row: 1, problem: 'bad-time' }] },
    });
});

test.each(['6465550101', '+1646555010', '+16465550101x', '+442079460958', '+19005550101', '+16469760101', ''])(
  'the bad number %j stops the whole send',
  async (bad) => {
    const sent = await send(to(phone(1), bad));
    expect(sent.body).toMatchObject({
      code: 'invalid_delivery_options',
      current: { rows: [{ row: 1, problem: 'bad-number' }] },
    });
    expect(await testApp.texts(desk)).toEqual([]);
  },
);

test('a number that is listed twice gets one text', async () => {
  const sent = await send([...to(phone(1), phone(2), phone(1)), { phoneNumber: phone(2), sendAt: inMinutes(60) }]);
  expect(sent.body).toMatchObject({ accepted: 2, duplicates: 2 });
  expect((await testApp.texts(desk)).map(({ toPhone }) => toPhone)).toEqual([phone(1), phone(2)]);
});

test('a number that opted out gets no text, and the reply says so', async () => {
  await patientTexts(testApp, phone(1), 'STOP', { office: desk });
  expect((await send(to(phone(1), phone(2)))).body).toMatchObject({ accepted: 1, optedOut: 1 });
  const texts = (await testApp.texts(desk)).map(({ kind, toPhone }) => [kind, toPhone]);
  expect(texts).toEqual([
    ['notice', phone(1)],
    ['message', phone(2)],
  ]);
  expect((await send(to(phone(1)))).body).toMatchObject({ code: 'number_opted_out' });
});

test('a retry with the same key sends once', async () => {
  const headers = { 'idempotency-key': 'one' };
  const input = { body: { message: 'Hello', deliveryOptions: to(phone(1), phone(2)) } };
  const replies = await Promise.all(Array.from({ length: 20 }, () => call(sms.sendSms, input, { headers })));
  expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(await testApp.texts(desk)).toHaveLength(2);
});

test('two sends at the same moment share the minutes', async () => {
  const list = (from: number) => to(...Array.from({ length: 10 }, (_, i) => phone(from + i)));
  await Promise.all([send(list(100)), send(list(200))]);
  const minutes = (await testApp.texts(desk)).map(({ sendAt }) => Math.floor(sendAt.getTime() / 60_000));
  expect(minutes).toHaveLength(20);
  for (const group of Object.values(Object.groupBy(minutes, String))) expect(group).toHaveLength(5);
});

test('a text to one number does not wait for a free minute, and counts towards the practice’s texts per hour', async () => {
  await send(to(phone(1), phone(2), phone(3), phone(4), phone(5)));
  expect((await send(to(phone(6)))).body.firstSendAt).toBe(testApp.now().toISOString());
  expect((await send(to(phone(7), phone(8)))).body.firstSendAt).not.toBe(testApp.now().toISOString());
  const { name, points, seconds } = textLimits.perOffice;
  const used = await testApp.services.pool.query<{ points: number }>('select points from rate_limit where key = $1', [
    rateLimitKey({ name, points, seconds }, desk.id),
  ]);
  expect(used.rows).toEqual([{ points: 1 }]);
  await testApp.services.pool.query('update rate_limit set points = $2 where key = $1', [
    rateLimitKey({ name, points, seconds }, desk.id),
    points,
  ]);
  expect((await send(to(phone(9)))).body).toMatchObject({ code: 'too_many_texts' });
  expect(
    (await call(sms.sendSms, { body: { message: 'Hi', deliveryOptions: to(phone(9)) } }, { as: testApp.other })).status,
  ).toBe(200);
});

test('the reply says which rows its first texts have', async () => {
  const sent = await send(to(phone(1), phone(1), phone(2)));
  expect(sent.body).toMatchObject({ accepted: 2, textRows: [0, 2] });
});

test.each(['', '   \n'])('an empty message %j is refused', async (message) => {
  expect((await send(to(phone(1)), message)).body).toMatchObject({ code: 'empty_message' });
});

test('a message of 10,000 characters is refused, one of 1 character is sent', async () => {
  expect((await send(to(phone(1)), 'a')).status).toBe(200);
  expect((await send(to(phone(1)), 'a'.repeat(10_000))).status).toBe(400);
});

test('a number gets at most fifteen texts an hour; the others of the list get theirs', async () => {
  for (let i = 0; i < 15; i++) await send(to(phone(1)), `Text ${i}`);
  expect((await send(to(phone(1), phone(2)))).body).toMatchObject({ accepted: 1, limited: 1 });
  expect((await send(to(phone(1)))).body).toMatchObject({ code: 'too_many_texts_to_number' });
});

test('a limited practice sends only the standard message, in either language, and only to patients who checked in', async () => {
  const { username } = await testApp.visit({ office: desk });
  await limitPractice();
  const practice = await call(office.readOfficeByNpi, { params: { npi: desk.npi } });
  expect((await send(to(username))).body).toMatchObject({ code: 'limited_own_words' });
  expect((await send(to(phone(1)), practice.body.sms)).body).toMatchObject({ code: 'limited_recipient' });
  expect((await send(to(username), practice.body.sms)).body).toMatchObject({ accepted: 1 });
  const { en, es } = practice.body.standardSms;
  expect([en, es.startsWith(en.slice(0, en.indexOf(':')))]).toEqual([practice.body.sms, true]);
  expect((await send(to(username), es)).body).toMatchObject({ accepted: 1 });
});

test('the preview counts people, duplicates, bad rows and opt-outs, and sends nothing', async () => {
  await patientTexts(testApp, phone(3), 'STOP', { office: desk });
  await send(to(phone(1)), 'Hello');
  const before = await testApp.texts(desk);
  const rows = [...to(phone(1), phone(1), '12', phone(3), phone(2)), { phoneNumber: phone(4), sendAt: inMinutes(5) }];
  const preview = await call(sms.previewSms, { body: { message: 'Hello', deliveryOptions: rows } });
  expect(preview.body).toMatchObject({
    people: 2,
    duplicates: 1,
    badNumbers: 1,
    badTimes: 1,
    optedOut: 1,
    atNight: 0,
    textedBefore: 1,
    perMinute: 5,
    firstSendAt: testApp.now().toISOString(),
  });
  expect(preview.body.rows.map(({ status }) => status)).toEqual([
    'ready',
    'duplicate',
    'bad-number',
    'opted-out',
    'ready',
    'bad-time',
  ]);
  expect(await testApp.texts(desk)).toEqual(before);
});

test('the preview says who would be texted at night', async () => {
  testApp.at('2027-03-03T02:30:00Z'); // 9:30 PM
  desk = await testApp.office();
  const preview = await call(sms.previewSms, {
    body: { message: 'Hello', deliveryOptions: to(phone(1), phone(2)) },
  });
  expect(preview.body).toMatchObject({ people: 2, atNight: 2, sentAtNight: 2 });
});

test('the office’s own default message is saved, and an empty one restores the standard message', async () => {
  const read = async () => (await call(office.readOfficeByNpi, { params: { npi: desk.npi } })).body.sms;
  const standard = await read();
  expect(standard).toMatch(/^Maple Street Pediatrics: .*\/c\/\d{10}$/);
  const save = (text: string, officeId = desk.id) => call(sms.saveSmsText, { body: { officeId, text } });
  expect((await save('Welcome to Maple!')).body).toEqual({ text: 'Welcome to Maple!' });
  expect(await read()).toBe('Welcome to Maple!');
  expect((await save('')).body).toEqual({ text: standard });
  expect(await read()).toBe(standard);
  expect((await save('Hello', testApp.other.id)).body).toMatchObject({ code: 'office_not_found' });
});

test('texts of one office take no minute, number or opt-out of another', async () => {
  await patientTexts(testApp, phone(1), 'STOP', { office: testApp.other });
  const theirs = { as: testApp.other };
  const body = { message: 'Hello', deliveryOptions: to(...Array.from({ length: 20 }, (_, i) => phone(50 + i))) };
  await call(sms.sendSms, { body }, theirs);
  // One opted out of the other practice's texts, one gets a text of it too; both fit this minute.
  const sent = await send(to(phone(1), phone(50)));
  const now = testApp.now().toISOString();
  expect(sent.body).toMatchObject({ accepted: 2, firstSendAt: now, lastSendAt: now });
  expect(await testApp.texts(desk)).toHaveLength(2);
});

test('a practice without a text number is refused, and another practice is not', async () => {
  await testApp.inOffice(desk, (tx) =>
    tx.updateTable('office').set({ textNumber: null }).where('id', '=', desk.id).execute(),
  );
  expect(await send(to(phone(1)))).toMatchObject({ status: 403, body: { code: 'no_text_number' } });
  expect(await testApp.texts(desk)).toEqual([]);
  const body = { message: 'The office closes at noon.', deliveryOptions: to(phone(2)) };
  expect((await testApp.call(sms.sendSms, { body })).status).toBe(200);
});

test('texts that find no time within thirty days are named, and nothing is sent; a desk looks at 120 lists an hour', async () => {
  // It is the only minute of the day that is not quiet.
  const wall = (ms: number) =>
    new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'America/New_York' }).format(ms);
  const now = testApp.now().getTime();
  const messageSettings = JSON.stringify({ quietHours: { from: wall(now + 60_000), until: wall(now) } });
  await testApp.inOffice(desk, (tx) =>
    tx.updateTable('office').set({ messageSettings }).where('id', '=', desk.id).execute(),
  );
  const body = { message: 'Hello', deliveryOptions: to(...Array.from({ length: 200 }, (_, n) => phone(n))) };
  const preview = await call(sms.previewSms, { body });
  expect(preview.body.rows.filter(({ status }) => status === 'bad-time').length).toBe(preview.body.badTimes);
  expect(preview.body.badTimes).toBeGreaterThan(0);
  expect(preview.body.people).toBe(200 - preview.body.badTimes);
  expect(await call(sms.sendSms, { body })).toMatchObject({ status: 400, body: { code: 'invalid_delivery_options' } });

  const used = {
    key: rateLimitKey({ name: 'sms-previews', points: 120, seconds: 3600 }, desk.id),
    points: 120,
    expire: testApp.now().getTime() + 60_000,
  };
  await testApp.owner
    .insertInto('rateLimit')
    .values(used)
    .onConflict((row) => row.column('key').doUpdateSet(used))
    .execute();
  expect((await call(sms.previewSms, { body })).status).toBe(429);
  expect(
    (await call(sms.previewSms, { body: { ...body, deliveryOptions: to(phone(1)) } }, { as: testApp.maple })).status,
  ).toBe(200);
});

// The last test: before each test those due are sent.
test('a list of 10,000 numbers is accepted; of 10,001 it is refused', async () => {
  const list = Array.from({ length: 10_001 }, (_, i) => ({
    phoneNumber: `+1${646 + (i % 2)}${5550000 + i}`,
    sendAt: '',
  }));
  const textable = list.map((row, i) => ({ ...row, phoneNumber: `+1646${2_000_000 + i * 7}` }));
  expect((await send(textable)).status).toBe(400);
  const sent = await send(textable.slice(1).map((row) => ({ ...row, sendAt: inMinutes(120) })));
  expect(sent).toMatchObject({ status: 200, body: { accepted: 10_000 } });
});
