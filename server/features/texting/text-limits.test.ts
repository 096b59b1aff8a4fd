import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient, queue, sms, smsCheckin, team } from '#contract/index.ts';
import { standardSmsTexts } from '#contract/sms.ts';
import { textLimits } from '#contract/texting.ts';
import { inviteDueVisits } from '#server/features/queue/jobs.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { budgetOfDay, usedToday } from '#server/kit/http/daily-budgets.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { unconfirmedTexts } from '#server/shared-budgets.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { releaseHeldTexts, sendDueTexts, textsTakenByCarrier, useTextLimit } from '#testing/fixtures/texts.ts';

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
const use = (name: string, key: string, points: number) => useTextLimit(t, name, key, points);

const inSeconds = (seconds: number) => new Date(t.now().getTime() + seconds * 1000).toISOString();

let spare = 900;

test('the texts of a practice without a number count towards its limits, although none is sent', async () => {
  const office = await t.office({ textNumber: null });
  const visit = await t.visit({ office, phone: phone(5) });
  const message = (key: string, of = office, userCode = visit.patientUserCode) =>
    t.call(
      queue.messagePatient,
      { params: { userCode }, body: { title: 'Hi', body: 'Hello' } },
      { as: of, headers: { 'idempotency-key': key } },
    );
  await use('texts-office', office.id, textLimits.perOffice.points - 1);
  await message('one');
  expect((await message('two')).body).toMatchObject({ code: 'too_many_texts' });
  expect(await t.texts(office)).toMatchObject([{ state: 'failed', errorClass: 'sender' }]);
  const elsewhere = await t.visit({ phone: phone(5) });
  expect((await message('three', t.maple, elsewhere.patientUserCode)).status).toBe(200);
});

test('a practice over its hourly limit can still invite, and learns when it can text a new number again', async () => {
  const office = await t.office();
  const visit = await t.visit({ office });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  const reply = await expectPatient(office, 5);
  expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_texts' } });
  expect(reply.headers['retry-after']).toBe('3600');
  const moved = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
  expect(moved).toMatchObject({ status: 200, body: { statusCode: 'INVITED' } });
  const { body } = await t.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(body.visit).toMatchObject({
    statusCode: 'INVITED',
    lastMessageState: 'held',
    lastTextProblem: 'practice-hour',
    lastTextLimitedUntil: inSeconds(3_600),
  });
  expect(await t.texts(office)).toHaveLength(1);
  t.later(61);
  expect((await expectPatient(office, 5)).status).toBe(200);
});

test("the operator can raise a practice's hourly limit on texts", async () => {
  const office = await t.office({ settings: { textsPerHour: textLimits.perOffice.points + 1 } });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  expect((await expectPatient(office, 6)).status).toBe(200);
  expect((await expectPatient(office, 7)).body.code).toBe('too_many_texts');
});

test('texts to a number are limited per practice and across all practices', async () => {
  const office = await t.office();
  const visit = await t.visit({ office, phone: phone(8), moves: ['invite'] });
  const remind = () => t.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } }, { as: office });
  const statuses = [];
  for (let n = 0; n < textLimits.perNumber.points; n++) statuses.push((await remind()).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const left = (await t.texts(office)).filter(({ state }) => state === 'queued');
  expect(left).toHaveLength(textLimits.perNumber.points);

  await use(textLimits.perNumberPerDay.name, phone(9), textLimits.perNumberPerDay.points);
  for (const one of [office, t.maple]) expect((await expectPatient(one, 9)).body.code).toBe('too_many_texts_to_number');
  expect((await expectPatient(office, 10)).status).toBe(200);
});

test('a colleague with only a phone is removed even if the practice is over its limit on texts', async () => {
  const office = await t.office();
  const personId = await t.addStaff({ name: 'Luis Ortega', phone: phone(13) }, [office]);
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  const removed = await t.call(team.removeColleague, { params: { personId } }, { as: office });
  expect(removed).toMatchObject({ status: 200, body: { removed: true } });
  expect(await t.texts(office)).toEqual([]);
});

test("other practices' texts to a number do not keep one from texting its patient who opened the texted link", async () => {
  const office = await t.office();
  const visit = await t.visit({ office, phone: phone(12), moves: ['invite'] });
  await use(textLimits.perNumberPerDay.name, phone(12), textLimits.perNumberPerDay.points);
  const message = { params: { userCode: visit.patientUserCode }, body: { title: 'Hi', body: 'We are ready.' } };
  const say = (key: string) =>
    t.call(queue.messagePatient, message, { as: office, headers: { 'idempotency-key': key } });
  expect((await say('before')).body.code).toBe('too_many_texts_to_number');
  const token = await t.provedToken(visit.id, office);
  await t.call(patient.readPatientVisit, { params: { token } }, { as: null });
  expect((await say('after')).status).toBe(200);
  expect((await expectPatient(t.maple, 12)).body.code).toBe('too_many_texts_to_number');
});

test('an automatic invite over the limit is held and shown, the visit moves, and the release sends its link', async () => {
  const office = await t.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 0 } });
  const visit = await t.visit({ office });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  await inviteDueVisits(t.services);
  const { body } = await t.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(body.visit.statusCode).toBe('INVITED');
  expect(body.messages).toMatchObject([
    { kind: 'invite', state: 'held', problem: 'practice-hour', limitedUntil: inSeconds(3_600) },
  ]);
  await releaseHeldTexts(t.services);
  await sendDueTexts(t.services);
  const [taken] = await textsTakenByCarrier(t, visit.username);
  expect(taken?.body).toMatch(/Please come in now\. http:\/\/localhost:3000\/visit\/[\w-]{32}$/);
});

test('HELP is answered five times an hour per number, STOP always counts', async () => {
  const say = async (body: string, from = phone(11)) => {
    const { textNumber } = await t.inOffice(t.maple, (tx) =>
      tx.selectFrom('office').select('textNumber').where('id', '=', t.maple.id).executeTakeFirstOrThrow(),
    );
    const payload = JSON.stringify({ providerId: t.services.id(), from, to: textNumber, body: body });
    return t.app.inject({
      method: 'POST',
      url: '/api/sms/inbound',
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signBody(t.env.secrets.webhook, payload, t.now()),
      },
      payload,
    });
  };
  for (let n = 0; n < 8; n++) expect((await say('HELP')).statusCode).toBe(200);
  expect((await t.texts()).filter(({ kind, toPhone }) => kind === 'notice' && toPhone === phone(11))).toHaveLength(5);
  await say('HELP', '+14165550100'); // Toronto
  expect((await t.texts()).filter(({ toPhone }) => toPhone === '+14165550100')).toEqual([]);
  await say('STOP');
  const texts = (await t.texts()).length;
  expect(await expectPatient(t.maple, 11)).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  expect(await t.texts()).toHaveLength(texts);
});

test('16 parallel texts at the last one of the hour: exactly one leaves, the others are refused', async () => {
  const office = await t.office();
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points - 1);
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      (n % 2 ? t : beside).call(smsCheckin.addCheckin, { body: { phone: phone(spare++) } }, { as: office }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(429)]);
  expect(await t.texts(office)).toHaveLength(1);
});

test('a practice that is not confirmed has segments of a day, and a list takes only those of the texts that it sends', async () => {
  const name = 'Elm Clinic';
  const office = await t.office({ name, confirmedBy: null });
  const message = standardSmsTexts(name, `${t.env.publicUrl}/c/${office.npi}`).en;
  const send = async (...phones: string[]) => {
    const deliveryOptions = phones.map((phoneNumber) => ({ phoneNumber }));
    return (await t.call(sms.sendSms, { body: { message, deliveryOptions } }, { as: office })).body;
  };
  const newNumber = async () => (await t.visit({ office })).username;
  const [one, two, three] = await Promise.all([newNumber(), newNumber(), newNumber()]);
  const [limit, day] = budgetOfDay({ name: 'segments-limited-office', points: 150 }, t.now());
  const used = async () => {
    const row = t.owner.selectFrom('rateLimit').select('points');
    return (await row.where('key', '=', rateLimitKey(limit, `${office.id} ${day}`)).executeTakeFirst())?.points;
  };
  await useTextLimit(t, textLimits.perNumber.name, `${office.id} ${one}`, textLimits.perNumber.points);
  expect(await send(one, two, three)).toMatchObject({ accepted: 2, limited: 1 });
  expect(await used()).toBe(2);

  const ofAll = async () => (await usedToday(t.services.pool, t.now(), [unconfirmedTexts(t.env)]))[0];
  const before = await ofAll();
  await useTextLimit(t, limit.name, `${office.id} ${day}`, limit.points);
  expect(await send(two)).toMatchObject({ code: 'limited_texts_per_day' });
  expect(await ofAll()).toBe(before);
});
