import { afterAll, beforeEach, expect, test } from 'vitest';
import { queue, sms } from '#contract/index.ts';
import { limitedTextsPerDay, textLimits } from '#contract/texting.ts';
import { officeRow, productSmsText } from '#server/office-row.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { useTextLimit } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let phone: string;
let numbers = 0;
const newPhone = () => `+1646555${String(9000 + ++numbers)}`;
beforeEach(() => {
  t.at('2026-03-02T15:00:00.000Z');
  phone = newPhone();
});
/** Noon of the seventh day, for which the texts are written on the days before. */
const noon = (plusMinutes = 0) => new Date(Date.parse('2026-03-08T17:00:00.000Z') + plusMinutes * 60_000).toISOString();
const nextDay = () => t.later(24 * 60);

const limited = () => t.office({ confirmedBy: null });
const { points: perHour } = textLimits.perNumber;
/** Schedules the product's own message; the code of its refusal, or the id of the text. */
async function schedule(office: TestOffice, sendAt: string, to = phone) {
  const message = await t.inOffice(office, async (tx) =>
    productSmsText(await officeRow(tx, office.id), 'http://localhost:3000'),
  );
  const body = { message, deliveryOptions: [{ phoneNumber: to, sendAt }] };
  const sent = await t.call(sms.sendSms, { body }, { as: office });
  return sent.body.code ?? (sent.body.textIds[0] as string);
}
async function scheduleMany(office: TestOffice, count: number, sendAt: string) {
  for (let n = 0; n < count; n++) expect(await schedule(office, sendAt)).toMatch(/^[0-9a-f-]{36}$/);
}

test('practices that are not confirmed schedule at most 15 texts for one hour of a number, whenever they write them', async () => {
  const [one, other, confirmed] = [await limited(), await limited(), await t.office()];
  await t.visit({ office: one, phone });
  await t.visit({ office: other, phone });
  await scheduleMany(one, perHour - 1, noon());
  nextDay();
  await scheduleMany(other, 1, noon());
  nextDay();
  for (const office of [one, other]) expect(await schedule(office, noon(5))).toBe('too_many_texts_to_number');
  expect(await schedule(one, noon(60))).not.toMatch(/^too_many/);
  expect(await schedule(confirmed, noon())).not.toMatch(/^too_many/);

  // What is written in that hour counts with what was scheduled for it.
  t.at(noon(1));
  const { id } = await t.visit({ office: one, phone });
  const { body } = await t.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: one });
  expect(body).toMatchObject({ statusCode: 'INVITED', lastMessageState: 'held', lastTextProblem: 'number-hour' });
  expect(body.lastTextLimitedUntil).toBe(noon(60));
});

test('practices that are not confirmed schedule at most 30 texts for one day of a number', async () => {
  const office = await limited();
  await t.visit({ office, phone });
  await scheduleMany(office, perHour, noon());
  nextDay();
  await scheduleMany(office, perHour, noon(60));
  nextDay();
  expect(await schedule(office, noon(120))).toBe('too_many_texts_to_number');
});

test('a practice that is not confirmed schedules at most 50 texts for one of its days', async () => {
  const office = await limited();
  await t.visit({ office, phone });
  await useTextLimit(t, 'texts-limited-office', `${office.id} 2026-03-08`, limitedTextsPerDay - 1);
  await scheduleMany(office, 1, noon());
  expect(await schedule(office, noon())).toBe('limited_texts_per_day');
  expect(await schedule(office, noon(-24 * 60))).not.toMatch(/^limited/);
});

test('a confirmed practice schedules at most 15 texts for one hour of a number; the other numbers of its list get theirs', async () => {
  const [office, other] = [await t.office(), await t.office()];
  await scheduleMany(office, perHour, noon());
  nextDay();
  expect(await schedule(office, noon())).toBe('too_many_texts_to_number');
  const deliveryOptions = [phone, newPhone()].map((phoneNumber) => ({ phoneNumber, sendAt: noon() }));
  const list = await t.call(sms.sendSms, { body: { message: 'Closed on Friday', deliveryOptions } }, { as: office });
  expect(list.body).toMatchObject({ accepted: 1, limited: 1 });
  expect(await schedule(other, noon())).not.toMatch(/^too_many/);
});

test('a text is not moved into an hour that is full, and stays where it was', async () => {
  const office = await t.office();
  await scheduleMany(office, perHour, noon());
  nextDay();
  const id = await schedule(office, noon(120));
  const move = (minutes: number) =>
    t.call(sms.changeText, { params: { textId: id }, body: { sendAt: noon(minutes) } }, { as: office });
  expect((await move(10)).body).toMatchObject({ code: 'too_many_texts_to_number' });
  expect((await move(130)).body).toMatchObject({ sendAt: noon(130) });
  expect((await move(60)).body).toMatchObject({ sendAt: noon(60) });
});
