import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambuPatients, episode } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import {
  activePatient,
  invitedPatient,
  loadSurveys,
  newestToken,
  phoneWith,
  textsTo,
} from '#testing/fixtures/episodes.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
beforeAll(() => loadSurveys(t));
afterAll(() => t.close());

const invite = (body: Record<string, unknown>, as = t.maple) =>
  t.call(ambuPatients.invitePatient, { body: { patientName: 'Ada Byron', ...body } as never }, { as });
const withdraw = (phoneNumber: string, as = t.maple) =>
  t.call(ambuPatients.withdrawInvite, { params: { phoneNumber } }, { as });
const invitedPhones = async (as = t.maple) =>
  (await t.call(ambuPatients.listInvites, {}, { as })).body.map(({ phoneNumber }) => phoneNumber);

test('an invitation is listed and texted with a link to the patient’s page, without the patient’s name', async () => {
  const { status, body } = await invite({ phoneNumber: '(646) 555-1001', npi: t.maple.npi });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    patientName: 'Ada Byron',
    phoneNumber: '+16465551001',
    npi: t.maple.npi,
    episodeDate: '2026-03-02',
    language: 'en',
    lastTextState: 'queued',
  });
  expect(await invitedPhones()).toContain('+16465551001');
  const [text, ...others] = await textsTo(t, '+16465551001');
  expect(others).toEqual([]);
  expect(text?.sent).toMatch(
    /^Maple Street Pediatrics: may we check on you over the next days\? Please open this link: http:\/\/localhost:3000\/episode\/[\w-]{32}$/,
  );
  const { body: page } = await phoneWith(t, await newestToken(t, '+16465551001')).read();
  expect(page).toMatchObject({ state: 'pending', patientName: 'Ada', day: 0, surveys: [] });
});

test.each([
  ['a number that is no US number', { phoneNumber: '+4915112345678' }, 'invalid_phone'],
  ['a date too long ago', { phoneNumber: '+16465551002', episodeDate: '2025-12-01' }, 'invalid_episode_date'],
  ['a date too far ahead', { phoneNumber: '+16465551002', episodeDate: '2026-12-01' }, 'invalid_episode_date'],
  ['the NPI of another practice', { phoneNumber: '+16465551002', npi: '2999999999' }, 'office_not_found'],
])('%s is refused, and nobody is invited', async (_, body, code) => {
  expect((await invite(body)).body.code).toBe(code);
  expect(await textsTo(t, body.phoneNumber)).toEqual([]);
});

test('a number that texted STOP cannot be invited', async () => {
  await patientTexts(t, '+16465551003', 'STOP');
  expect(await invite({ phoneNumber: '+16465551003' })).toMatchObject({
    status: 409,
    body: { code: 'number_opted_out' },
  });
  expect(await invitedPhones()).not.toContain('+16465551003');
});

test('a second invitation within a minute texts nothing; a later one corrects the date and texts a new link', async () => {
  const phoneNumber = '+16465551004';
  expect((await invite({ phoneNumber })).body.repeated).toBe(false);
  expect((await invite({ phoneNumber })).body.repeated).toBe(true);
  expect(await textsTo(t, phoneNumber)).toHaveLength(1);
  t.later(2);
  const { body } = await invite({ phoneNumber, episodeDate: '2026-03-05', language: 'es' });
  expect(body).toMatchObject({ episodeDate: '2026-03-05', language: 'es', repeated: false });
  const texts = await textsTo(t, phoneNumber);
  expect(texts).toHaveLength(2);
  expect(texts[1]?.sent).toContain('Abra este enlace');
  expect((await invitedPhones()).filter((phone) => phone === phoneNumber)).toHaveLength(1);
});

test('a number that is invited for one person is not invited for another, whose name would replace the first', async () => {
  const phoneNumber = '+16465551006';
  await invite({ phoneNumber });
  t.later(2);
  expect(await invite({ phoneNumber, patientName: 'Ralph Milbanke' })).toMatchObject({
    status: 409,
    body: { code: 'already_invited' },
  });
  expect((await invite({ phoneNumber, patientName: 'ada byron' })).status).toBe(200);
  expect((await invite({ phoneNumber, patientName: 'Ralph Milbanke' }, t.other)).status).toBe(200);
});

test('10 desks that invite one number at once make one invitation with one text', async () => {
  const phoneNumber = '+16465551005';
  // As the panel does with each press.
  const headers = (desk: number) => ({ 'idempotency-key': `desk ${desk}` });
  const body = { patientName: 'Ada Byron', phoneNumber };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, desk) =>
      t.call(ambuPatients.invitePatient, { body }, { as: t.maple, headers: headers(desk) }),
    ),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.userId}`)).size).toBe(1);
  expect(await textsTo(t, phoneNumber)).toHaveLength(1);
});

test('a withdrawn invitation is gone: its text is not sent and its link has ended', async () => {
  const { phone, token } = await invitedPatient(t);
  expect((await withdraw(phone)).body).toEqual({ withdrawn: true });
  expect(await invitedPhones()).not.toContain(phone);
  expect((await textsTo(t, phone))[0]?.state).toBe('cancelled');
  expect(await phoneWith(t, token).read()).toMatchObject({ status: 404, body: { code: 'episode_link_ended' } });
  expect((await withdraw(phone)).body.code).toBe('invite_not_found');
});

test('an invitation of another office cannot be withdrawn, and is not listed', async () => {
  const { phone, token } = await invitedPatient(t, { office: t.other });
  expect((await withdraw(phone)).body.code).toBe('invite_not_found');
  expect(await invitedPhones()).not.toContain(phone);
  expect((await phoneWith(t, token).read()).body.state).toBe('pending');
});

test('a patient who gets surveys is not invited a second time, but a second person with the same phone is', async () => {
  const { phone, consent } = await invitedPatient(t);
  await consent();
  expect((await invite({ phoneNumber: phone, patientName: 'ada byron' })).body.code).toBe('already_followed');
  t.later(2);
  expect((await invite({ phoneNumber: phone, patientName: 'Ralph Milbanke' })).status).toBe(200);
});

test('an invitation at night waits for the morning where quiet hours count; one made again, and a withdrawal, take its text back', async () => {
  const production = await openTestApp({ env: { NODE_ENV: 'production' }, at: new Date('2026-03-03T04:00:00Z') });
  try {
    await loadSurveys(production);
    const phoneNumber = '+16465551009';
    const body = { phoneNumber, patientName: 'Ada Byron' };
    const states = async () => (await textsTo(production, phoneNumber)).map(({ state }) => state);
    const answer = await production.call(ambuPatients.invitePatient, { body });
    expect(answer.body.textSendAt).toBe('2026-03-03T13:00:00.000Z');
    production.later(2);
    await production.call(ambuPatients.invitePatient, { body: { ...body, episodeDate: '2026-03-04' } });
    expect(await states()).toEqual(['cancelled', 'queued']);
    await production.call(ambuPatients.withdrawInvite, { params: { phoneNumber } });
    expect(await states()).toEqual(['cancelled', 'cancelled']);
  } finally {
    await production.close();
  }
});

test('inviting again without a date keeps the day of the surgery', async () => {
  t.at('2026-03-02T16:00:00Z');
  const phoneNumber = '+16465551021';
  await invite({ phoneNumber, episodeDate: '2026-02-27' });
  t.at('2026-03-03T16:00:00Z');
  expect((await invite({ phoneNumber })).body).toMatchObject({ episodeDate: '2026-02-27' });
  t.at('2026-03-02T16:00:00Z');
});

test('a patient whose surveys are over is invited after another surgery, and the old link ends', async () => {
  t.at('2026-03-02T16:00:00Z');
  const patient = await activePatient(t);
  expect((await invite({ phoneNumber: patient.phone })).body.code).toBe('already_followed');
  t.at('2026-04-20T16:00:00Z');
  expect((await invite({ phoneNumber: patient.phone })).body).toMatchObject({ episodeDate: '2026-04-20' });
  expect((await patient.read()).body.code).toBe('episode_link_ended');
  const ended = await t.owner
    .selectFrom('auditEntry')
    .select('details')
    .where('subject', '=', patient.userId)
    .where('action', '=', 'episode.follow-up')
    .execute();
  expect(ended).toMatchObject([{ details: { active: false } }]);
  const newest = phoneWith(t, await newestToken(t, patient.phone));
  expect((await newest.consent()).body.state).toBe('active');
  t.at('2026-03-02T16:00:00Z');
});

test('a patient gets the surveys of one link: not by an old link, not taken up again, not invited while agreeing', async () => {
  const follow = (key: { userCode: string; userId: string }) =>
    t.call(ambuPatients.setFollowUp, { params: key, body: { active: true } });
  // Declined, invited again: the old link restarts nothing.
  const declined = await activePatient(t);
  await declined.decline();
  t.at('2026-03-02T16:10:00Z');
  expect((await invite({ phoneNumber: declined.phone })).status).toBe(200);
  expect((await declined.consent()).body.code).toBe('episode_link_ended');
  // Ended by the desk, invited again: the desk does not resume the old surveys.
  const ended = await activePatient(t);
  await t.call(ambuPatients.setFollowUp, { params: ended.key, body: { active: false } });
  expect((await invite({ phoneNumber: ended.phone })).status).toBe(200);
  expect((await follow(ended.key)).body.code).toBe('already_followed');
  // The patient agrees in the moment in which another desk invites.
  const agreeing = await invitedPatient(t);
  t.at('2026-03-02T16:20:00Z');
  await Promise.all([agreeing.consent(), ...Array.from({ length: 4 }, () => invite({ phoneNumber: agreeing.phone }))]);
  const rows = await t.owner
    .selectFrom('episode')
    .select('id')
    .where('phone', '=', agreeing.phone)
    .where('state', 'in', ['active', 'pending'])
    .execute();
  expect(rows).toHaveLength(1);
  t.at('2026-03-02T16:00:00Z');
});

test('another language is no consent: it changes the texts of a patient who agreed, and enrolls nobody', async () => {
  t.at('2026-03-02T16:00:00Z');
  const speakSpanish = (token: string) =>
    t.call(episode.setEpisodeLanguage, { params: { token }, body: { language: 'es' } }, { as: null });
  const patient = await activePatient(t);
  expect((await speakSpanish(patient.token)).body).toMatchObject({ state: 'active', language: 'es' });
  await patient.decline();
  expect((await speakSpanish(patient.token)).body.code).toBe('episode_not_active');
  const invited = await invitedPatient(t);
  expect((await speakSpanish(invited.token)).body.code).toBe('episode_not_active');
  expect((await invited.read()).body.state).toBe('pending');
});
