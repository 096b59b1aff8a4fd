import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ambuSurveys, formsSettings } from '#contract/index.ts';
import { ambuSettingsDefault, type SurveyPlan } from '#contract/ambulatory/surveys.ts';
import { askDueSurveys } from '#server/features/ambulatory/survey-job.ts';
import { loadSample } from '#server/features/addresses/index.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { activePatient, loadSurveys } from '#testing/fixtures/episodes.ts';
import { arrivalForm, formSetting } from '#testing/fixtures/forms.ts';

const t = await openTestApp();
let office: TestOffice;
beforeAll(() => loadSurveys(t));
beforeEach(async () => {
  office = await t.office({ settings: { providers: [{ name: 'ambu', enabled: true, adminNavBar: true }] } });
});
afterAll(() => t.close());

const place = { addressLine1: '9 ELM ST', addressLine2: null, city: 'TROY', state: 'NY', zip: '12180' };
const listed = { name: 'ELM SURGERY', otherName: null, ...place };
const read = async () => (await t.call(ambuSurveys.readSurveyPlan, {}, { as: office })).body;
const add = (body: Record<string, unknown> = {}) =>
  t.call(ambuSurveys.addSurvey, { body: body as never }, { as: office });
const remove = (id?: string) =>
  t.call(ambuSurveys.deleteSurvey, { query: id === undefined ? {} : { id } }, { as: office });
const daysOf = ({ surveys }: SurveyPlan) =>
  surveys.map(({ type, day, deletable }) => `${type.replace('ambu-', '')} ${day}${deletable ? ' deletable' : ''}`);

test('an office begins with a plan; a survey is added after the last, and satisfaction stays last', async () => {
  const first = ['survey-day 1', 'survey-day 2', 'survey-day 3'];
  expect(daysOf(await read())).toEqual([...first, 'survey-day 7 deletable', 'satisfaction 8']);
  const all = [...first, 'survey-day 7'];
  expect(daysOf((await add()).body)).toEqual([...all, 'survey-day 8 deletable', 'satisfaction 9']);
  expect(daysOf((await add({ day: 14 })).body)).toEqual([
    ...all,
    'survey-day 8',
    'survey-day 14 deletable',
    'satisfaction 15',
  ]);
  expect((await add({ day: 10 })).body.code).toBe('survey_day_taken');
});

test('only the last day survey can be deleted, down to none, and satisfaction never', async () => {
  const { surveys } = await read();
  const refused = await remove(surveys[0]?.id);
  expect(refused).toMatchObject({ status: 409, body: { code: 'survey_not_last', current: { surveys } } });
  expect((await remove(surveys.at(-1)?.id)).body.code).toBe('survey_not_last');
  expect(daysOf((await remove(surveys[3]?.id)).body)).toEqual([
    'survey-day 1',
    'survey-day 2',
    'survey-day 3 deletable',
    'satisfaction 4',
  ]);
  for (let i = 0; i < 3; i++) await remove();
  expect(daysOf(await read())).toEqual(['satisfaction 1']);
  expect((await remove()).body.code).toBe('survey_not_found');
});

test('when two desks delete the same survey, one does and the other is told', async () => {
  const id = (await read()).surveys[3]?.id ?? '';
  const answers = await Promise.all([remove(id), remove(id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect((await read()).surveys).toHaveLength(4);
});

test('a survey asks the questionnaire that the office chose', async () => {
  const { body: loaded } = await t.call(
    formsSettings.loadForm,
    { body: { text: JSON.stringify(arrivalForm) } },
    { as: office },
  );
  const { surveys } = await read();
  const change = (formType: string) =>
    t.call(
      ambuSurveys.changeSurvey,
      { params: { id: surveys[1]?.id ?? '' }, body: { formType, photo: true } },
      { as: office },
    );
  expect((await change('no-such-form')).body.code).toBe('form_not_found');
  expect((await change('arrival')).body.surveys[1]).toMatchObject({
    formType: 'arrival',
    definitionId: loaded.form?.id,
    photo: true,
    day: 2,
  });
});

test('the satisfaction survey asks for no photo of the wound, whatever is saved', async () => {
  const id = (await read()).surveys.at(-1)?.id ?? '';
  const body = { formType: 'ambu-satisfaction', photo: true };
  const { body: plan } = await t.call(ambuSurveys.changeSurvey, { params: { id }, body }, { as: office });
  expect(plan.surveys.at(-1)).toMatchObject({ type: 'ambu-satisfaction', photo: false });
});

test('the days in the forms settings follow the plan, and saving those settings leaves it alone', async () => {
  await read();
  const settings = async () => (await t.call(formsSettings.readFormSettings, {}, { as: office })).body.forms;
  const surveys = ['ambu-survey-day 1', 'ambu-survey-day 2', 'ambu-survey-day 3', 'ambu-survey-day 7'];
  const shown = async () => (await settings()).map(({ type, day }) => `${type} ${day ?? ''}`.trim());
  expect(await shown()).toEqual([...surveys, 'ambu-satisfaction']);
  const forms = [formSetting('consent'), { ...formSetting('ambu-survey-day'), day: 30 }];
  await t.call(formsSettings.saveFormSettings, { body: { forms } }, { as: office });
  expect(await shown()).toEqual(['consent', ...surveys, 'ambu-satisfaction']);
  await remove();
  expect(await shown()).toEqual(['consent', ...surveys.slice(0, 3), 'ambu-satisfaction']);
});

test('an office that had its days in the settings begins with those', async () => {
  const forms = [2, 5].map((day) => ({ ...formSetting('ambu-survey-day'), day }));
  office = await t.office({ settings: { features: { globalFormsEnabled: { forms } } } });
  expect(daysOf(await read())).toEqual(['survey-day 2', 'survey-day 5 deletable', 'satisfaction 6']);
});

test('settings are checked and saved', async () => {
  const save = (body: Record<string, unknown>) =>
    t.call(
      ambuSurveys.saveAmbuSettings,
      { body: { surveyTime: '10:30', painLimit: 6, watchedWords: ['fever'], phone: null, ...body } },
      { as: office },
    );
  expect((await save({ phone: '(646) 555-0199' })).body.settings).toEqual({
    surveyTime: '10:30',
    painLimit: 6,
    watchedWords: ['fever'],
    phone: '+16465550199',
  });
  expect((await save({ phone: '12' })).body.code).toBe('invalid_phone');
  expect((await save({ painLimit: 11 })).status).toBe(400);
});

test('patients are told to call the practice’s number in the NPI registry, never the one that texts', async () => {
  const practice = await t.office();
  const patient = await activePatient(t, { office: practice });
  expect((await patient.read()).body.officePhone).toBeNull();
  await loadSample(t.url, () => [{ ...listed, npi: practice.npi, phone: '6465550122' }]);
  expect((await patient.read()).body.officePhone).toBe('+16465550122');
  const number = { phone: '+16465550144' };
  await t.owner.updateTable('office').set(number).where('id', '=', practice.id).execute();
  expect((await patient.read()).body.officePhone).toBe('+16465550144');
  const body = { ...ambuSettingsDefault, phone: '(646) 555-0133' };
  await t.call(ambuSurveys.saveAmbuSettings, { body }, { as: practice });
  expect((await patient.read()).body.officePhone).toBe('+16465550133');
});

test('saving settings while surveys go out and patients press buttons does not deadlock', async () => {
  const practice = await t.office();
  const patients = await Promise.all(Array.from({ length: 12 }, () => activePatient(t, { office: practice })));
  const answers: { status: number }[] = await Promise.all([
    ...patients.flatMap(({ callMe }, i) => [
      callMe(),
      t.call(
        ambuSurveys.saveAmbuSettings,
        { body: { ...ambuSettingsDefault, surveyTime: `10:${10 + i}` } },
        { as: practice },
      ),
    ]),
    askDueSurveys(t.services).then(() => ({ status: 200 })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test('a survey of another office’s plan is not found', async () => {
  const id = (await read()).surveys[0]?.id ?? '';
  const body = { formType: 'ambu-survey-day', photo: true };
  const change = await t.call(ambuSurveys.changeSurvey, { params: { id }, body });
  expect(change.body.code).toBe('survey_not_found');
  expect((await t.call(ambuSurveys.deleteSurvey, { query: { id } })).body.code).toBe('survey_not_found');
});
