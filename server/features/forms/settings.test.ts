import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambuSurveys, formsSettings } from '#contract/index.ts';
import { formSetting } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { loadBuiltInForms } from './index.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
  await loadBuiltInForms(testApp.services);
});
afterAll(() => testApp.close());

const settings = async (as: TestOffice) => (await testApp.call(formsSettings.readFormSettings, {}, { as })).body;
const save = (as: TestOffice, forms: ReturnType<typeof formSetting>[]) =>
  testApp.call(formsSettings.saveFormSettings, { body: { forms } }, { as });
const surveysIn = async (as: TestOffice) => {
  const { known, forms } = await settings(as);
  return {
    known: known.map(({ formType }) => formType).filter((type) => type.startsWith('ambu-')),
    forms: forms.map(({ type }) => type).filter((type) => type.startsWith('ambu-')),
  };
};
async function setMode(office: TestOffice, mode: 'ambu' | 'queue') {
  const { settings: before } = await testApp.owner
    .selectFrom('office')
    .select('settings')
    .where('id', '=', office.id)
    .executeTakeFirstOrThrow();
  const providers = [{ name: mode, enabled: true, adminNavBar: true }];
  await testApp.owner
    .updateTable('office')
    .set({ settings: JSON.stringify({ ...(before as object), providers }) })
    .where('id', '=', office.id)
    .execute();
}
const survey = (day: number) => ({ ...formSetting('ambu-survey-day'), day });

test('the survey types are offered only to an office in ambulatory mode', async () => {
  const [ambulatory, other] = [await testApp.office(), await testApp.office()];
  await setMode(ambulatory, 'ambu');
  expect((await surveysIn(ambulatory)).known).toEqual(['ambu-satisfaction', 'ambu-survey-day']);
  expect(await surveysIn(other)).toEqual({ known: [], forms: [] });
  expect((await settings(other)).known.map(({ formType }) => formType)).toContain('insurance-card');
});

test('an office without ambulatory mode cannot switch a survey on', async () => {
  const office = await testApp.office();
  expect(await save(office, [formSetting('insurance-card'), survey(1)])).toMatchObject({
    status: 404,
    body: { code: 'form_not_found' },
  });
  expect((await save(office, [formSetting('insurance-card')])).status).toBe(200);
});

test('surveys follow the survey plan: an office that leaves ambulatory mode sees none, and sees them again when it returns', async () => {
  const office = await testApp.office();
  await setMode(office, 'ambu');
  await testApp.call(ambuSurveys.addSurvey, { body: { day: 10 } }, { as: office });
  const planned = [...Array(5).fill('ambu-survey-day'), 'ambu-satisfaction'];
  expect((await surveysIn(office)).forms).toEqual(planned);
  await setMode(office, 'queue');
  expect(await surveysIn(office)).toEqual({ known: [], forms: [] });
  expect((await save(office, [formSetting('photo-id')])).body.forms.map(({ type }) => type)).toEqual(['photo-id']);
  await setMode(office, 'ambu');
  expect((await surveysIn(office)).forms).toEqual(planned);
  // The list of forms cannot change the plan.
  expect((await save(office, [formSetting('photo-id'), survey(30)])).status).toBe(200);
  expect((await surveysIn(office)).forms).toEqual(planned);
});
