import { afterAll, beforeAll, expect, test } from 'vitest';
import { episodeLinkDays } from '#contract/ambulatory/episode.ts';
import { ambuPatients, conversations } from '#contract/index.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import {
  activePatient,
  invitedPatient,
  loadSurveys,
  newestToken,
  phoneWith,
  surveysAt,
  textsTo,
} from '#testing/fixtures/episodes.ts';

const t = await openTestApp();
let clinic: TestOffice;
const ids: Record<string, string> = {};

/** Scores and a last survey as answers would leave them; answering itself is tested with the surveys. */
const setScores = (name: string, stationaryPain: number | null, hoursAgo: number, lastType = 'ambu-survey-day') =>
  t.inOffice(clinic, (tx) =>
    tx
      .updateTable('episode')
      .set({
        stationaryPain,
        movementPain: stationaryPain,
        lastType: lastType as 'ambu-survey-day',
        lastSubmittedAt: new Date(t.now().getTime() - hoursAgo * 3_600_000),
      })
      .where('officeId', '=', clinic.id)
      .where('id', '=', ids[name] ?? '')
      .execute(),
  );

beforeAll(async () => {
  await loadSurveys(t);
  clinic = await t.office();
  for (const patientName of ['Álvaro Núñez', 'Bea Stone', 'Cy Young', 'Dee Oak', 'Eve Lake', 'Fay Hill']) {
    ids[patientName] = (await activePatient(t, { office: clinic, patientName })).userId;
    t.later(1);
  }
  ids['Gus Penn'] = (await invitedPatient(t, { office: clinic, patientName: 'Gus Penn' })).userId;
  await setScores('Bea Stone', 8, 2);
  await setScores('Cy Young', 3, 30);
  await setScores('Dee Oak', 5, 200, 'ambu-satisfaction');
  await setScores('Eve Lake', 0, 23);
});
afterAll(() => t.close());

const search = async (body: Record<string, unknown> = {}, as = clinic) =>
  (await t.call(ambuPatients.searchAmbuPatients, { body: body as never }, { as })).body;
const names = async (body: Record<string, unknown> = {}) =>
  (await search(body)).patients.map(({ patientName }) => patientName);

test('the list shows five patients a page, the newest invitation first', async () => {
  expect(await search()).toMatchObject({ total: 7, page: 1, pageSize: 5 });
  expect(await names()).toEqual(['Gus Penn', 'Fay Hill', 'Eve Lake', 'Dee Oak', 'Cy Young']);
  expect(await names({ page: 2 })).toEqual(['Bea Stone', 'Álvaro Núñez']);
  expect(await search({ page: 99 })).toMatchObject({ page: 2, total: 7 });
});

test('the list is sorted by pain in both orders, those without a score last, and by name', async () => {
  const sorted = async (order: string) => (await names({ sort: 'stationary', order })).slice(0, 4);
  expect(await sorted('desc')).toEqual(['Bea Stone', 'Dee Oak', 'Cy Young', 'Eve Lake']);
  expect(await sorted('asc')).toEqual(['Eve Lake', 'Cy Young', 'Dee Oak', 'Bea Stone']);
  expect((await names({ sort: 'name' })).slice(0, 2)).toEqual(['Álvaro Núñez', 'Bea Stone']);
});

test('the list filters by beginnings of names, status, and complete or incomplete forms', async () => {
  expect(await names({ search: 'nun alv' })).toEqual(['Álvaro Núñez']);
  expect(await names({ search: 'tone' })).toEqual([]);
  expect(await names({ status: ['pending'] })).toEqual(['Gus Penn']);
  // The satisfaction survey, or one that was submitted less than a day ago.
  expect(await names({ forms: ['complete'] })).toEqual(['Eve Lake', 'Dee Oak', 'Bea Stone']);
  expect(await names({ forms: ['incomplete'], status: ['active'] })).toEqual(['Fay Hill', 'Cy Young', 'Álvaro Núñez']);
  expect(await search({ forms: ['complete', 'incomplete'] })).toMatchObject({ total: 7 });
});

test('other programs get the fields of the specification', async () => {
  const { body } = await t.call(ambuPatients.listAmbuPatients, { query: { status: 'active' } }, { as: clinic });
  expect(body).toHaveLength(6);
  const bea = body.find(({ patientName }) => patientName === 'Bea Stone');
  expect(bea).toMatchObject({
    user: ids['Bea Stone'],
    nurseCallback: false,
    stationaryPainScore: 8,
    movementPainScore: 8,
    lastFormType: 'ambu-survey-day',
    notes: '',
    s3ObjectKeys: [],
    userData: { name: 'Bea Stone', email: null, userId: ids['Bea Stone'] },
    nextSurveyAt: '2026-03-03T14:00:00.000Z',
  });
});

test('notes are saved with a version; a desk that saw an older one gets the current notes instead', async () => {
  const { key } = await activePatient(t);
  const save = (notes: string, version?: number) =>
    t.call(ambuPatients.saveAmbuNotes, { params: key, body: { notes, ...(version !== undefined && { version }) } });
  expect((await save('Left knee', 0)).body).toMatchObject({ notes: 'Left knee', notesVersion: 1 });
  const at = t.now().toISOString();
  const current = { notes: 'Left knee', version: 1, saved: { at, by: t.maple.staffName } };
  expect(await save('Right knee', 0)).toMatchObject({ status: 409, body: { code: 'notes_changed', current } });
  expect((await save('Left knee', 0)).status).toBe(200);
  const both = await Promise.all([save('One', 1), save('Two', 1)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await save('From another program')).body.notes).toBe('From another program');
});

test('a link that expired names the practice and the number it is called by; one that never existed names nobody', async () => {
  t.at('2026-03-02T16:00:00Z');
  const [office, other] = [await t.office(), await t.office()];
  const practice = { phone: '+16465550133', name: 'Hill Surgery' };
  await t.owner.updateTable('office').set(practice).where('id', '=', office.id).execute();
  const [patient] = [await activePatient(t, { office }), await activePatient(t, { office: other })];
  t.at('2026-04-01T15:59:00Z');
  expect((await patient.read()).status).toBe(200);
  t.at('2026-04-01T16:00:00Z');
  const current = { officeName: 'Hill Surgery', officePhone: '+16465550133', hasExpired: true };
  expect(await patient.read()).toMatchObject({ status: 404, body: { code: 'episode_link_ended', current } });
  expect((await phoneWith(t, 'A'.repeat(32)).read()).body).not.toHaveProperty('current');
});

test('the database calls a link expired after as many days as it works', async () => {
  const { rows } = await t.services.pool.query<{ body: string }>(
    "select pg_get_functiondef('door_ended_link(text, bytea, timestamptz)'::regprocedure) as body",
  );
  expect(rows[0]?.body).toContain(`interval '${episodeLinkDays} days'`);
});

test('the office ends a patient’s surveys with their links and takes them up again; what a patient declined stays declined', async () => {
  t.at('2026-03-02T16:00:00Z');
  const { key, phone, read } = await activePatient(t);
  const follow = (active: boolean) => t.call(ambuPatients.setFollowUp, { params: key, body: { active } });
  expect((await follow(false)).body).toMatchObject({ status: 'ended', endedBy: 'office' });
  await surveysAt(t, '2026-03-03T15:00:00Z');
  expect(await textsTo(t, phone)).toHaveLength(1);
  const whose = { officeName: 'Maple Street Pediatrics', officePhone: null, hasExpired: false };
  expect((await read()).body).toMatchObject({ code: 'episode_link_ended', current: whose });
  expect((await follow(true)).body).toMatchObject({ status: 'active', endedBy: null });
  await surveysAt(t, '2026-03-03T15:01:00Z');
  expect(await textsTo(t, phone)).toHaveLength(2);
  // A survey that was texted already is texted again, because the link in that text has ended.
  await follow(false);
  await follow(true);
  await surveysAt(t, '2026-03-03T15:02:00Z');
  expect(await textsTo(t, phone)).toHaveLength(3);
  await phoneWith(t, await newestToken(t, phone)).decline();
  const current = { status: 'ended', endedBy: 'patient' };
  expect((await follow(true)).body).toMatchObject({ code: 'episode_moved_on', current });
});

test('the chat names a text about surveys as such, not as a check-in link', async () => {
  const { key } = await invitedPatient(t);
  const { body: file } = await t.call(ambuPatients.readAmbuPatient, { params: key });
  const params = { id: file.conversationId ?? '' };
  const { body: chat } = await t.call(conversations.readConversation, { params, query: {} });
  expect(chat.messages).toMatchObject([{ sender: 'bot', kind: 'survey' }]);
  expect(chat.messages[0]?.body).toMatch(/\(link to the survey\)$/);
  expect(chat.conversation.lastBody).toMatch(/\(link\)$/);
});

test('a patient of another office is neither listed, opened nor changed', async () => {
  const { key } = await activePatient(t, { office: t.other });
  expect((await search({}, t.maple)).patients.map(({ user }) => user)).not.toContain(key.userId);
  const answers = [
    await t.call(ambuPatients.readAmbuPatient, { params: key }),
    await t.call(ambuPatients.saveAmbuNotes, { params: key, body: { notes: 'x' } }),
    await t.call(ambuPatients.setFollowUp, { params: key, body: { active: false } }),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'patient_not_found'));
});
