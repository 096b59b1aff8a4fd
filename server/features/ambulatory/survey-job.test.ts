import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambuSurveys } from '#contract/index.ts';
import { dueEpisodes } from './episode-sql.ts';
import { askDueSurveys } from './survey-job.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { activePatient, invitedPatient, loadSurveys, surveysAt, textsTo } from '#testing/fixtures/episodes.ts';
import { patientTexts, useTextLimit } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
beforeAll(() => loadSurveys(t));
afterAll(() => t.close());

/** The texts to a number after its invitation: when they were written, and about what. */
async function surveyTexts(phone: string) {
  const texts = (await textsTo(t, phone)).slice(1);
  const about = (sent: string) =>
    sent.includes('reminder') ? 'reminder' : sent.includes('last survey') ? 'satisfaction' : 'survey';
  return texts.map(({ createdAt, sent }) => `${createdAt.toISOString().slice(5, 16)} ${about(sent)}`);
}

/** The hours at which something may be due, and some of the night, from one day to another. */
async function daysUntil(from: string, until: string): Promise<void> {
  for (let at = Date.parse(from); at <= Date.parse(until); at += 3_600_000)
    if ([4, 13, 14, 17, 18, 21, 22].includes(new Date(at).getUTCHours()))
      await surveysAt(t, new Date(at).toISOString());
}

test('surveys go out at nine on the days of the plan, with two reminders a day, and none after the last', async () => {
  t.at('2026-03-02T15:00:00Z');
  const { phone, read } = await activePatient(t);
  await daysUntil('2026-03-02T15:00:00Z', '2026-03-14T15:00:00Z');
  // The clocks change on the 8th: nine in the morning is 14:00, then 13:00 in UTC.
  expect(await surveyTexts(phone)).toEqual([
    ...['03-03', '03-04', '03-05'].flatMap((day) => [
      `${day}T14:00 survey`,
      `${day}T18:00 reminder`,
      `${day}T22:00 reminder`,
    ]),
    '03-09T13:00 survey',
    '03-09T17:00 reminder',
    '03-09T21:00 reminder',
    '03-10T13:00 satisfaction',
    '03-10T17:00 reminder',
    '03-10T21:00 reminder',
  ]);
  const { body } = await read();
  expect(body.surveys.map(({ day, state }) => `${day} ${state}`)).toEqual([
    '8 open',
    '7 missed',
    '3 missed',
    '2 missed',
    '1 missed',
  ]);
});

test('a patient who answers gets no reminder that day', async () => {
  t.at('2026-04-06T15:00:00Z');
  const { phone, answer } = await activePatient(t);
  await surveysAt(t, '2026-04-07T13:00:00Z');
  expect((await answer()).status).toBe(200);
  await daysUntil('2026-04-07T14:00:00Z', '2026-04-08T12:00:00Z');
  expect(await surveyTexts(phone)).toEqual(['04-07T13:00 survey']);
});

test('a patient who has not agreed, or who declined, gets no survey', async () => {
  t.at('2026-04-13T15:00:00Z');
  const pending = await invitedPatient(t);
  const declined = await activePatient(t);
  await declined.decline();
  await surveysAt(t, '2026-04-14T13:00:00Z');
  expect(await surveyTexts(pending.phone)).toEqual([]);
  expect(await surveyTexts(declined.phone)).toEqual([]);
  expect((await declined.read()).body.state).toBe('ended');
});

test('a patient who agrees on the third day is asked that day’s survey at once', async () => {
  t.at('2026-04-20T17:00:00Z');
  const { phone } = await activePatient(t, { episodeDate: '2026-04-17' });
  await surveysAt(t, '2026-04-20T17:01:00Z');
  expect(await surveyTexts(phone)).toEqual(['04-20T17:01 survey']);
});

test('after STOP no survey is texted, but the patient’s page has it', async () => {
  t.at('2026-04-27T15:00:00Z');
  const { phone, surveyOfTheDay } = await activePatient(t);
  await patientTexts(t, phone, 'STOP');
  const before = (await textsTo(t, phone)).length;
  await surveysAt(t, '2026-04-28T13:00:00Z');
  expect(await textsTo(t, phone)).toHaveLength(before);
  expect(await surveyOfTheDay()).not.toBe('');
});

test('a survey whose hour passed while no server ran goes out later that day, but neither at night nor on another day', async () => {
  t.at('2026-05-04T15:00:00Z');
  const { phone, read } = await activePatient(t);
  await surveysAt(t, '2026-05-05T19:00:00Z');
  await surveysAt(t, '2026-05-07T03:00:00Z');
  await surveysAt(t, '2026-05-07T12:00:00Z');
  expect(await surveyTexts(phone)).toEqual(['05-05T19:00 survey']);
  expect((await read()).body.surveys.map(({ day }) => day)).toEqual([2, 1]);
});

test('a practice with many patients due does not keep another waiting', async () => {
  t.at('2026-05-09T15:00:00Z');
  for (let n = 0; n < 2; n++) await activePatient(t);
  t.later(1);
  await activePatient(t, { office: t.other });
  const due = await dueEpisodes(t.services.pool, t.now(), 2);
  expect(new Set(due.map(({ officeId }) => officeId))).toEqual(new Set([t.maple.id, t.other.id]));
});

test('two processes and a later round text each survey once', async () => {
  t.at('2026-05-11T15:00:00Z');
  const patients = [await activePatient(t), await activePatient(t), await activePatient(t)];
  const second = await openTestApp({ beside: t });
  t.at('2026-05-12T13:00:00Z');
  await Promise.all([t, second, t, second].map(({ services }) => askDueSurveys(services)));
  await surveysAt(t, '2026-05-12T13:05:00Z');
  await second.close();
  for (const { phone } of patients) expect(await surveyTexts(phone)).toEqual(['05-12T13:00 survey']);
});

test('if the practice has sent too many texts, the survey is open at once and its text follows', async () => {
  t.at('2026-05-18T15:00:00Z');
  const { phone, surveyOfTheDay } = await activePatient(t);
  t.at('2026-05-19T13:00:00Z');
  await useTextLimit(t, 'texts-office', t.maple.id, 600);
  await surveysAt(t, '2026-05-19T13:00:00Z');
  expect(await surveyTexts(phone)).toEqual([]);
  expect(await surveyOfTheDay()).not.toBe('');
  await surveysAt(t, '2026-05-19T14:01:00Z');
  expect(await surveyTexts(phone)).toEqual(['05-19T14:01 survey']);
});

test('a new hour counts at once; in quiet hours the survey waits for their end', async () => {
  t.at('2026-06-01T15:00:00Z');
  const { phone } = await activePatient(t);
  const settings = { surveyTime: '06:00', painLimit: 7, watchedWords: [], phone: null };
  await t.call(ambuSurveys.saveAmbuSettings, { body: settings });
  await surveysAt(t, '2026-06-02T10:00:00Z');
  expect(await surveyTexts(phone)).toEqual([]);
  await surveysAt(t, '2026-06-02T12:00:00Z');
  expect(await surveyTexts(phone)).toEqual(['06-02T12:00 survey']);
  await t.call(ambuSurveys.saveAmbuSettings, { body: { ...settings, surveyTime: '15:00' } });
  await surveysAt(t, '2026-06-03T18:59:00Z');
  expect(await surveyTexts(phone)).toHaveLength(1);
  await surveysAt(t, '2026-06-03T19:00:00Z');
  expect((await surveyTexts(phone)).at(-1)).toBe('06-03T19:00 survey');
});

test('a survey whose hour is in quiet hours until the next day goes out in the morning of its own day', async () => {
  t.at('2026-12-07T15:00:00Z');
  const settings = { surveyTime: '22:00', painLimit: 7, watchedWords: [], phone: null };
  await t.call(ambuSurveys.saveAmbuSettings, { body: settings });
  const { phone, read } = await activePatient(t);
  // The patient's page promises the hour that is kept.
  expect((await read()).body.surveyTime).toBe('08:00');
  await daysUntil('2026-12-07T16:00:00Z', '2026-12-08T14:00:00Z');
  expect(await surveyTexts(phone)).toEqual(['12-08T13:00 survey']);
  // At 20:30 in New York it is past nine in Puerto Rico.
  await t.call(ambuSurveys.saveAmbuSettings, { body: { ...settings, surveyTime: '20:30' } });
  const far = await activePatient(t, { phoneNumber: '+17875552001' });
  await daysUntil('2026-12-08T16:00:00Z', '2026-12-09T14:00:00Z');
  expect(await surveyTexts(far.phone)).toEqual(['12-09T13:00 survey']);
});
