import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambuCallbacks, ambuPatients, ambuSurveys, formsDesk } from '#contract/index.ts';
import { urls } from '#questionnaire/extensions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { sweepEpisodes } from './jobs.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { lockEpisode } from './episode-sql.ts';
import { activePatient, calmAnswers, invitedPatient, loadSurveys, surveysAt } from '#testing/fixtures/episodes.ts';
import { photo, requestForms } from '#testing/fixtures/forms.ts';

const t = await openTestApp();
beforeAll(() => loadSurveys(t));
afterAll(() => t.close());

const invitedAt = '2026-03-02T15:00:00Z';
const day = (n: number, time = '15:00') => `2026-03-0${2 + n}T${time}:00Z`;

/** A patient with the survey of day 1 open. */
async function patientOnDayOne(office?: TestOffice) {
  t.at(invitedAt);
  const patient = await activePatient(t, { ...(office && { office }) });
  await surveysAt(t, day(1));
  return { ...patient, surveyId: await patient.surveyOfTheDay() };
}
const fileOf = async ({ key, office }: { key: { userCode: string; userId: string }; office: TestOffice }) =>
  (await t.call(ambuPatients.readAmbuPatient, { params: key }, { as: office })).body;
const callbacksOf = async (patient: Parameters<typeof fileOf>[0]) =>
  (await fileOf(patient)).callbacks.map(({ reasons }) =>
    reasons.map(({ code, detail }) => `${code} ${detail.en}`.trim()),
  );

test('a survey is saved step by step, submitted once, and its PDF opens from the desk', async () => {
  const patient = await patientOnDayOne();
  const { surveyId } = patient;
  const { body: open } = await patient.open(surveyId);
  expect(open).toMatchObject({ day: 1, type: 'ambu-survey-day', version: 0, answers: null, state: 'open' });
  const step = { definitionId: open.definitionId, page: 1 };
  expect((await patient.save(surveyId, { ...step, answers: { 'stationary-pain-score': [4] } })).body.version).toBe(1);
  expect((await patient.submit(surveyId, 1)).body.code).toBe('form_incomplete');
  await patient.save(surveyId, { ...step, version: 1, answers: calmAnswers });
  expect((await patient.open(surveyId)).body).toMatchObject({ version: 2, page: 1, answers: calmAnswers });
  const first = await patient.submit(surveyId, 2);
  expect((await patient.submit(surveyId, 2)).body).toEqual(first.body);
  expect(first.body).toMatchObject({ surveyId, advice: 'none', callback: false, formName: 'Recovery Survey' });
  expect((await patient.open(surveyId)).body.code).toBe('survey_submitted');

  const { patient: shown, surveys, median, callbacks } = await fileOf(patient);
  expect(shown).toMatchObject({
    stationaryPainScore: 2,
    movementPainScore: 3,
    lastFormType: 'ambu-survey-day',
    complete: true,
    day: 1,
    nurseCallback: false,
    surveysAsked: 1,
  });
  expect(shown.s3ObjectKeys).toHaveLength(1);
  expect(surveys.map(({ day: of, state }) => `${of} ${state}`)).toEqual([
    '1 submitted',
    '2 planned',
    '3 planned',
    '7 planned',
    '8 planned',
  ]);
  expect(median[0]).toMatchObject({ day: 1, stationary: 2, movement: 3, surveys: 1 });
  expect(callbacks).toEqual([]);
  const [key = ''] = shown.s3ObjectKeys;
  const link = await t.call(formsDesk.readFormUrl, { query: { key } });
  expect(link.body.fileName).toMatch(/Ada Byron Recovery Survey 1\.pdf$/);
  expect((await t.call(formsDesk.downloadForm, { query: { key } })).body).toMatch(/^%PDF/);
  expect((await t.call(formsDesk.downloadForm, { query: { key } }, { as: t.other })).status).toBe(404);
});

test('when two phones save one step, the second gets the first one’s answers; repeating a step changes nothing', async () => {
  const { surveyId, open, save } = await patientOnDayOne();
  const { definitionId } = (await open(surveyId)).body;
  const first = { definitionId, answers: { 'stationary-pain-score': [1] } };
  expect((await save(surveyId, first)).status).toBe(200);
  expect((await save(surveyId, first)).body.version).toBe(1);
  const refused = await save(surveyId, { definitionId, answers: { 'stationary-pain-score': [9] } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'form_changed', current: { version: 1 } } });
  expect((await save(surveyId, { ...first, version: 1, answers: { strange: [1] } })).body.code).toBe(
    'answers_unreadable',
  );
});

test('a survey and a patient can be read while somebody changes them', async () => {
  const patient = await patientOnDayOne();
  await t.inOffice(t.maple, async (tx) => {
    await lockEpisode(tx, t.maple.id, patient.key.userId);
    expect((await patient.open(patient.surveyId)).status).toBe(200);
    expect((await fileOf(patient)).patient.status).toBe('active');
  });
});

test.each([
  ['a score at the limit', { 'movement-pain-score': [7] }, ['score 7'], 'call-office'],
  [
    '“please call me”',
    { 'nurse-callback': [true], 'callback-time': [{ code: 'morning' }] },
    ['asked In the morning'],
    'none',
  ],
  ['a watched word', { notes: ['I am FEVERISH since last night'] }, ['word fever'], 'none'],
  [
    'a warning sign',
    { 'signs-today': [{ code: 'redness' }] },
    ['red-flag More redness, warmth or swelling around the wound'],
    'call-office',
  ],
  ['an emergency', { 'signs-today': [{ code: 'breath' }] }, ['red-flag Shortness of breath or chest pain'], 'call-911'],
])('%s raises a callback and says what to do', async (_, answers, reasons, advice) => {
  const patient = await patientOnDayOne();
  const { body } = await patient.answer(answers);
  expect(body).toMatchObject({ advice, callback: true });
  expect(await callbacksOf(patient)).toEqual([reasons]);
  expect((await fileOf(patient)).patient.nurseCallback).toBe(true);
  expect((await patient.read()).body.surveys[0]).toMatchObject({ advice, state: 'submitted' });
});

test('a rise of two points since the survey before raises a callback; a rise of one does not', async () => {
  const patient = await patientOnDayOne();
  await patient.answer({ 'stationary-pain-score': [2] });
  await surveysAt(t, day(2));
  await patient.answer({ 'stationary-pain-score': [3] });
  expect(await callbacksOf(patient)).toEqual([]);
  await surveysAt(t, day(3));
  expect((await patient.answer({ 'stationary-pain-score': [5] })).body.callback).toBe(true);
  expect(await callbacksOf(patient)).toEqual([['rise 3 → 5']]);
});

test('a survey of yesterday is closed; after a patient left, the link tells nothing of them and takes no answers', async () => {
  const patient = await patientOnDayOne();
  const { surveyId } = patient;
  t.at(day(2, '06:00'));
  expect((await patient.open(surveyId)).body.code).toBe('survey_closed');
  t.at(day(1, '16:00'));
  expect((await patient.open(surveyId)).status).toBe(200);
  await patient.decline();
  expect((await patient.read()).body).toMatchObject({ state: 'ended', patientName: '', surveys: [] });
  expect((await patient.open(surveyId)).body.code).toBe('episode_not_active');
  expect((await patient.callMe()).body.code).toBe('episode_not_active');
  expect((await patient.consent()).body.state).toBe('active');
});

test('a survey that was begun before midnight is submitted in the hour after it, and its warning sign calls a nurse', async () => {
  const { surveyId, open, save, submit, ...patient } = await patientOnDayOne();
  const late = await patientOnDayOne();
  const { definitionId } = (await open(surveyId)).body;
  // The practice's midnight is at five.
  t.at(day(2, '04:58'));
  const answers = { ...calmAnswers, 'signs-today': [{ code: 'breath' }] };
  for (const { save: saveStep, surveyId: id } of [{ save, surveyId }, late])
    await saveStep(id, { definitionId, answers });
  t.at(day(2, '05:01'));
  expect((await submit(surveyId, 1)).body).toMatchObject({ advice: 'call-911', callback: true });
  expect(await callbacksOf(patient)).toEqual([['red-flag Shortness of breath or chest pain']]);
  t.at(day(2, '06:00'));
  expect((await late.submit(late.surveyId, 1)).body.code).toBe('survey_closed');
});

test('the satisfaction survey completes the patient, and can be answered for a week', async () => {
  const patient = await patientOnDayOne();
  await surveysAt(t, '2026-03-10T15:00:00Z');
  t.at('2026-03-15T15:00:00Z');
  const { surveyOfTheDay, open, save, submit } = patient;
  const surveyId = await surveyOfTheDay();
  const { body: survey } = await open(surveyId);
  expect(survey.type).toBe('ambu-satisfaction');
  const [good, agree] = [{ code: 'good' }, { code: 'agree' }];
  const answers = {
    'overall-rating': [good],
    'staff-rating': [good],
    prepared: [agree],
    'pain-managed': [agree],
    instructions: [agree],
    reachable: [agree],
    recommend: [9],
    'may-contact': [false],
  };
  await save(surveyId, { definitionId: survey.definitionId, answers });
  expect((await submit(surveyId, 1)).status).toBe(200);
  t.at('2026-03-20T15:00:00Z');
  expect((await fileOf(patient)).patient).toMatchObject({ complete: true, lastFormType: 'ambu-satisfaction' });
});

test('a photo is asked for if the plan says so, stored, and printed on the PDF', async () => {
  const office = await t.office();
  const { body: plan } = await t.call(ambuSurveys.readSurveyPlan, {}, { as: office });
  const id = plan.surveys[0]?.id ?? '';
  await t.call(
    ambuSurveys.changeSurvey,
    { params: { id }, body: { formType: 'ambu-survey-day', photo: true } },
    { as: office },
  );
  const patient = await patientOnDayOne(office);
  const { body: picture } = await patient.upload(await photo());
  expect((await patient.photo(picture.fileId)).statusCode).toBe(200);
  const wound = [{ contentType: 'image/jpeg', url: picture.url }];
  expect((await patient.answer({ 'wound-photo': wound })).status).toBe(200);
  const files = await t.inOffice(office, (tx) => tx.selectFrom('episodeFile').select(['kind', 'usedAt']).execute());
  expect(files.map(({ kind, usedAt }) => `${kind} ${usedAt !== null}`).sort()).toEqual(['pdf true', 'photo true']);
  const another = await activePatient(t, { office });
  expect((await another.photo(picture.fileId)).statusCode).toBe(404);
  t.later(5);
  const entries = (await t.auditEntries(office)).length;
  for (let n = 0; n < 2; n++) await patient.photo(picture.fileId);
  expect((await t.auditEntries(office)).slice(entries).map(({ action }) => action)).toEqual([
    'episode.read-by-patient',
  ]);
  await patient.decline();
  expect((await patient.photo(picture.fileId)).statusCode).toBe(404);
});

test('repeated reads of a patient make one audit entry in five minutes', async () => {
  const patient = await patientOnDayOne(await t.office());
  const entriesOf = async (action: string) =>
    (await t.auditEntries(patient.office)).filter((entry) => entry.action === action).length;
  for (let n = 0; n < 3; n++) await Promise.all([patient.read(), patient.open(patient.surveyId)]);
  expect(await entriesOf('episode.read-by-patient')).toBe(1);
  expect(await entriesOf('survey.read-by-patient')).toBe(1);
  // Refused calls too.
  for (let n = 0; n < 3; n++) await patient.submit(patient.surveyId, 1);
  expect(await entriesOf('survey.submit')).toBe(1);
  t.later(5);
  await patient.read();
  expect(await entriesOf('episode.read-by-patient')).toBe(2);
});

/** Photos of an episode that no survey uses. */
const addPhotos = ({ office, userId }: { office: TestOffice; userId: string }, count: number, bytes: number) => {
  const about = { officeId: office.id, episodeId: userId, kind: 'photo', contentType: 'image/jpeg', bytes } as const;
  const one = () => ({ ...about, id: t.services.id(), objectKey: t.services.id(), createdAt: t.now() });
  return t.inOffice(office, (tx) =>
    tx
      .insertInto('episodeFile')
      .values(Array.from({ length: count }, one))
      .execute(),
  );
};

test('twenty photos of a day that no survey uses are enough, and so are 500 MB of a practice', async () => {
  const office = await t.office();
  const [one, another] = [await activePatient(t, { office }), await activePatient(t, { office })];
  const refusal = { status: 429, body: { code: 'too_many_tries' } };
  const nothing = Buffer.alloc(0);
  await addPhotos(one, 20, 1);
  expect(await one.upload(nothing)).toMatchObject(refusal);
  expect((await another.upload(nothing)).body.code).toBe('photo_unreadable');
  await addPhotos(another, 1, 500_000_000);
  expect(await another.upload(nothing)).toMatchObject(refusal);
  t.later(24 * 60);
  expect((await one.upload(nothing)).body.code).toBe('photo_unreadable');
});

test('all photos that no survey uses are removed, however many there are', async () => {
  const office = await t.office();
  await addPhotos(await activePatient(t, { office }), 201, 1);
  t.later(9 * 24 * 60);
  await sweepEpisodes(t.services);
  expect(await t.inOffice(office, (tx) => tx.selectFrom('episodeFile').select('id').execute())).toEqual([]);
});

test('surveys and files of another office’s patient are answered like unknown ones', async () => {
  const theirs = await patientOnDayOne(t.other);
  const ours = await activePatient(t);
  expect((await ours.open(theirs.surveyId)).body.code).toBe('survey_not_found');
  expect((await ours.submit(theirs.surveyId, 0)).body.code).toBe('survey_not_found');
  expect((await t.call(ambuPatients.readAmbuPatient, { params: theirs.key })).body.code).toBe('patient_not_found');
});

test('a pending patient may neither upload nor ask for a call', async () => {
  const count = async () => (await t.call(ambuCallbacks.readCallbackCount)).body;
  const before = await count();
  const { upload, callMe } = await invitedPatient(t);
  expect((await upload(await photo())).body.code).toBe('episode_not_active');
  expect((await callMe()).body.code).toBe('episode_not_active');
  expect(await count()).toEqual(before);
});

test('the same warning sign on another day rings again, and the reasons name their days', async () => {
  const patient = await patientOnDayOne();
  const answers = { ...calmAnswers, 'signs-today': [{ code: 'redness' }] };
  const submit = async (surveyId: string) => {
    const { definitionId } = (await patient.open(surveyId)).body;
    await patient.save(surveyId, { definitionId, answers });
    expect((await patient.submit(surveyId, 1)).status).toBe(200);
  };
  await submit(patient.surveyId);
  const [first] = (await fileOf(patient)).callbacks;
  await surveysAt(t, day(2));
  await submit(await patient.surveyOfTheDay());
  const [again, ...others] = (await fileOf(patient)).callbacks;
  expect(others).toEqual([]);
  expect(again).toMatchObject({ id: first?.id, raisedAt: first?.raisedAt, newsAt: t.now().toISOString() });
  expect(again?.reasons).toMatchObject([
    { code: 'red-flag', day: 1 },
    { code: 'red-flag', day: 2 },
  ]);
});

test('a warning sign calls a nurse once, also when the survey cannot be filed at first', async () => {
  const patient = await patientOnDayOne();
  const { surveyId } = patient;
  const { definitionId } = (await patient.open(surveyId)).body;
  await patient.save(surveyId, { definitionId, answers: { ...calmAnswers, 'signs-today': [{ code: 'redness' }] } });
  const { providers } = t.services;
  const { storage } = providers;
  providers.storage = { ...storage, put: () => Promise.reject(new Error('the file store is away')) };
  try {
    expect((await patient.submit(surveyId, 1)).status).toBeGreaterThanOrEqual(500);
  } finally {
    providers.storage = storage;
  }
  expect(await callbacksOf(patient)).toHaveLength(1);
  const [raised] = (await fileOf(patient)).callbacks;
  const params = { id: raised?.id ?? '' };
  await t.call(ambuCallbacks.moveCallback, { params, body: { move: 'take', version: raised?.version ?? 0 } });
  expect((await patient.submit(surveyId, 1)).body).toMatchObject({ advice: 'call-office', callback: true });
  expect(await callbacksOf(patient)).toHaveLength(1);
});

/** The office's own questionnaire is the survey of day 1. */
async function chooseSurvey(office: TestOffice, survey: Questionnaire): Promise<void> {
  await requestForms(t, office, [survey]);
  const { surveys } = (await t.call(ambuSurveys.readSurveyPlan, {}, { as: office })).body;
  const formType = survey.id ?? '';
  const chosen = { params: { id: surveys[0]?.id ?? '' }, body: { formType, photo: false } };
  expect((await t.call(ambuSurveys.changeSurvey, chosen, { as: office })).body.surveys[0]?.formType).toBe(formType);
}

test('a date that nobody can change is the survey’s day, also if the survey is finished after midnight', async () => {
  const office = await t.office();
  const today = { valueExpression: { language: 'text/fhirpath', expression: 'today()' } };
  await chooseSurvey(office, {
    resourceType: 'Questionnaire',
    id: 'dated',
    status: 'active',
    title: 'Dated',
    item: [
      { linkId: 'day', type: 'date', text: 'Today is', readOnly: true, extension: [{ url: urls.initialBy, ...today }] },
      { linkId: 'well', type: 'boolean', text: 'Do you feel well?' },
    ],
  });
  const patient = await patientOnDayOne(office);
  const { surveyId } = patient;
  const { definitionId } = (await patient.open(surveyId)).body;
  t.at(day(2, '04:58'));
  await patient.save(surveyId, { definitionId, answers: { day: ['2026-03-03'], well: [true] } });
  t.at(day(2, '05:01'));
  expect((await patient.submit(surveyId, 1)).status).toBe(200);
  const [key = ''] = (await fileOf(patient)).patient.s3ObjectKeys;
  const { body: read } = await t.call(formsDesk.readFormAnswers, { query: { key } }, { as: office });
  expect(read.sections[0]?.answers[0]?.answers).toEqual(['March 3, 2026']);
});

test('a survey that declares it reads the patient and the day of the surgery, and the desk sees what was asked', async () => {
  const office = await t.office();
  const declares = (name: string, type: string) => ({
    url: urls.launchContext,
    extension: [
      { url: 'name', valueCoding: { code: name } },
      { url: 'type', valueCode: type },
    ],
  });
  const by = (url: string, expression: string) => [{ url, valueExpression: { language: 'text/fhirpath', expression } }];
  const survey: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'recovery',
    status: 'active',
    title: 'Recovery',
    extension: [declares('patient', 'Patient'), declares('encounter', 'Encounter')],
    item: [
      { linkId: 'name', type: 'string', text: 'Name', extension: by(urls.initialBy, '%patient.name.text') },
      {
        linkId: 'since',
        type: 'string',
        text: 'Surgery',
        readOnly: true,
        extension: by(urls.calculated, '%encounter.period.start.toString()'),
      },
      {
        linkId: 'ada',
        type: 'string',
        text: 'Ada?',
        extension: by(urls.enabledBy, "%patient.name.text = 'Ada Byron'"),
      },
    ],
  };
  await chooseSurvey(office, survey);
  const patient = await patientOnDayOne(office);
  const { surveyId } = patient;
  const { definitionId, launch } = (await patient.open(surveyId)).body;
  expect(launch).toEqual({
    patient: { resourceType: 'Patient', name: [{ use: 'official', text: 'Ada Byron' }] },
    encounter: expect.objectContaining({ resourceType: 'Encounter', period: { start: '2026-03-02' } }),
  });
  await patient.save(surveyId, { definitionId, answers: { name: ['Ada King'], since: ['1066'], ada: ['Yes'] } });
  expect((await patient.submit(surveyId, 1)).status).toBe(200);
  const [key = ''] = (await fileOf(patient)).patient.s3ObjectKeys;
  const { body: read } = await t.call(formsDesk.readFormAnswers, { query: { key } }, { as: office });
  expect(read.sections.flatMap(({ answers }) => answers).map(({ text, answers }) => [text, answers])).toEqual([
    ['Name', ['Ada King']],
    ['Surgery', ['2026-03-02']],
    ['Ada?', ['Yes']],
  ]);
});

test('a survey that declares nothing gets nothing about the patient', async () => {
  const { surveyId, open } = await patientOnDayOne();
  expect((await open(surveyId)).body).not.toHaveProperty('launch');
});
