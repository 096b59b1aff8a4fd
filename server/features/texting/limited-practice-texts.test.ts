import { afterAll, beforeAll, expect, test } from 'vitest';
import { patientCheckIn, queue, smsCheckin, team } from '#contract/index.ts';
import { limitedTextsPerDay, textLimits } from '#contract/texting.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { useTextLimit } from '#testing/fixtures/texts.ts';

let t: TestApp;
let beside: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  beside = await openTestApp({ beside: t });
});
afterAll(async () => {
  await beside.close();
  await t.close();
});

const phone = (n: number) => `+1646555${String(2000 + n)}`;
const expectPatient = (office: TestOffice, n: number, custom: { text?: string } = {}) =>
  t.call(smsCheckin.addCheckin, { body: { phone: phone(n), ...custom } }, { as: office });
const limited = () => t.office({ confirmedBy: null });
const checkIn = (office: TestOffice, number: string) =>
  t.call(
    patientCheckIn.checkIn,
    {
      params: { npi: office.npi },
      body: {
        firstName: 'Ada',
        lastName: 'Byron',
        birthDate: '1990-12-10',
        phone: number,
        household: [],
        language: 'en',
      },
    },
    { as: null },
  );
const use = (name: string, key: string, points: number) => useTextLimit(t, name, key, points);

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(t.now());

let spare = 900;
const textsTo = async (number: string, offices: TestOffice[]) =>
  (await Promise.all(offices.map((office) => t.texts(office)))).flat().filter(({ toPhone }) => toPhone === number);

test('a limited practice can send its own text to nobody', async () => {
  const office = await limited();
  const visit = await t.visit({ office });
  const message = { params: { userCode: visit.patientUserCode }, body: { title: 'Hi', body: 'See evil.example' } };
  const replies = [
    await expectPatient(office, 1, { text: 'You won, see evil.example' }),
    await t.call(queue.messagePatient, message, { as: office, headers: { 'idempotency-key': 'own words' } }),
  ];
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'limited_own_words'],
    [403, 'limited_own_words'],
  ]);
  expect(await t.texts(office)).toEqual([]);
});

test('a limited practice can text a number that checked in, and no other', async () => {
  const office = await limited();
  expect((await expectPatient(office, 2)).body.code).toBe('limited_recipient');
  expect((await t.call(smsCheckin.listSmsCheckins, { params: { officeId: office.id } }, { as: office })).body).toEqual(
    [],
  );
  await t.visit({ phone: phone(2) }); // checked in at another practice
  expect((await expectPatient(office, 2)).body.code).toBe('limited_recipient');
  const visit = await t.visit({ office, phone: phone(2) });
  const invited = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
  expect(invited.status).toBe(200);
  expect((await t.texts(office)).map(({ toPhone, state }) => [toPhone, state])).toEqual([[phone(2), 'queued']]);
});

test('a limited practice can text the number of a colleague', async () => {
  const office = await limited();
  await t.addStaff({ name: 'Luis Ortega', phone: phone(3) }, [office]);
  expect((await expectPatient(office, 3)).status).toBe(200);
});

test('60 concurrent texts of a limited practice: 50 are queued, 50 more the next day, and another practice is not affected', async () => {
  const office = await limited();
  const visits: { id: string }[] = [];
  for (let n = 0; n < 60; n++) visits.push(await t.visit({ office, phone: phone(100 + n) }));
  const invite = (i: number, action: 'INVITED' | 'REINVITED') =>
    (i % 2 ? t : beside).call(queue.moveVisit, { body: { id: visits[i]?.id ?? '', action } }, { as: office });
  const replies = await Promise.all(visits.map((_, i) => invite(i, 'INVITED')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const states = (await t.texts(office)).map(({ state }) => state);
  expect(states.filter((state) => state === 'queued')).toHaveLength(limitedTextsPerDay);
  expect(states.filter((state) => state === 'held')).toHaveLength(60 - limitedTextsPerDay);
  const refused = await expectPatient(office, 100 + 60, {});
  expect(refused.body.code).toBe('limited_recipient');

  const next = await t.visit({ moves: ['invite'] });
  expect((await t.texts()).filter(({ visitId }) => visitId === next.id)).toHaveLength(1);

  t.later(24 * 60);
  const tomorrow = await t.visit({ office, phone: phone(100) });
  const body = { id: tomorrow.id, action: 'INVITED' } as const;
  expect((await t.call(queue.moveVisit, { body }, { as: office })).status).toBe(200);
});

test("a limited practice's check-in page resends the link to the number that checked in", async () => {
  const office = await limited();
  expect((await checkIn(office, phone(4))).body.outcome).toBe('visit');
  expect((await checkIn(office, phone(4))).body.outcome).toBe('link-sent');
  expect(await t.texts(office)).toHaveLength(1);
});

test('a limited practice invites colleagues by email only', async () => {
  const office = await limited();
  await t.visit({ office, phone: phone(14) });
  const reply = await t.call(team.inviteColleague, { body: { phone: phone(14) } }, { as: office });
  expect(reply).toMatchObject({ status: 403, body: { code: 'limited_phone_invitation' } });
  expect(await t.texts(office)).toEqual([]);
});

test('practices that are not confirmed have a limit together on texts to a number, and a confirmed practice still texts it', async () => {
  const office = await t.office();
  const number = phone(spare++);
  const unconfirmed = [await limited(), await limited()];
  for (const one of unconfirmed) {
    const { id } = await t.visit({ office: one, phone: number, moves: ['invite'] });
    for (let n = 0; n < textLimits.perNumber.points; n++)
      await t.call(queue.moveVisit, { body: { id, action: 'REINVITED' } }, { as: one });
  }
  expect((await t.call(smsCheckin.addCheckin, { body: { phone: number } }, { as: office })).status).toBe(200);
  expect((await textsTo(number, [office])).map(({ state }) => state)).toEqual(['queued']);
  const texts = await textsTo(number, unconfirmed);
  expect(texts.filter(({ state }) => state === 'queued')).toHaveLength(textLimits.perNumberOfUnconfirmed.points);
  expect(texts.at(-1)).toMatchObject({ state: 'held', errorClass: 'number-hour' });
});

test('a practice that is not confirmed learns that others like it have used up the texts of a number for the day', async () => {
  const office = await limited();
  const number = phone(spare++);
  const { perNumberPerDayOfUnconfirmed } = textLimits;
  await use(perNumberPerDayOfUnconfirmed.name, number, perNumberPerDayOfUnconfirmed.points);
  await t.visit({ office, phone: number, moves: ['invite'] });
  expect(await textsTo(number, [office])).toMatchObject([{ state: 'held', errorClass: 'number-day' }]);
});

test("the 51st invite of a limited practice's day moves the visit, and its text is held until the practice's midnight", async () => {
  const office = await limited();
  const { id } = await t.visit({ office, phone: phone(spare++) });
  await use('texts-limited-office', `${office.id} ${today()}`, limitedTextsPerDay);
  const { body } = await t.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office });
  expect(body).toMatchObject({ statusCode: 'INVITED', lastMessageState: 'held', lastTextProblem: 'unconfirmed-day' });
  const until = new Date(body.lastTextLimitedUntil ?? 0);
  expect(until.getTime()).toBeGreaterThan(t.now().getTime());
  expect(until.toLocaleString('en-US', { timeZone: 'America/New_York', timeStyle: 'medium' })).toBe('12:00:00 AM');
});
