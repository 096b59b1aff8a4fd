import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formsSettings } from '#contract/index.ts';
import { runCommand } from '#server/kit/command.ts';
import { arrivalForm, formSetting } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { formCommands } from './commands.ts';
import { loadBuiltInForms } from './index.ts';

let testApp: TestApp;
let folder: string;
beforeAll(async () => {
  testApp = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'anteroom-forms-'));
});
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true });
});

const builtIn = () =>
  testApp.services.db.selectFrom('builtInForm').selectAll().orderBy('type').orderBy('version').execute();
const settings = async (as = testApp.maple) => (await testApp.call(formsSettings.readFormSettings, {}, { as })).body;
const load = (text: string, check = false) => testApp.call(formsSettings.loadForm, { body: { text, check } });

async function type(...typed: string[]): Promise<string> {
  const lines: string[] = [];
  const desk = {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say: (line: string) => void lines.push(line),
  };
  await runCommand(formCommands, typed, desk);
  return lines.join('\n');
}
async function fileOf(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('every office has the built-in forms, and a second start adds none', async () => {
  await loadBuiltInForms(testApp.services);
  const first = await builtIn();
  expect(first.map(({ type }) => type)).toEqual([
    'ambu-satisfaction',
    'ambu-survey-day',
    'consent',
    'covid-screening',
    'health-history',
    'insurance-card',
    'photo-id',
  ]);
  await Promise.all([loadBuiltInForms(testApp.services), loadBuiltInForms(testApp.services)]);
  expect(await builtIn()).toEqual(first);
  expect((await settings()).known.find(({ formType }) => formType === 'photo-id')).toMatchObject({
    own: false,
    version: 1,
  });
  expect((await settings(testApp.other)).known).toEqual((await settings()).known);
});

test('an operator loads a form for every office, and its next version beside the first', async () => {
  const file = await fileOf('small.json', { ...arrivalForm, id: 'small' });
  expect(await type('form', 'load', file)).toContain('is now small, version 1, for every office');
  expect(await type('form', 'load', file)).toContain('small is already that (version 1)');
  const next = await fileOf('next.json', { ...arrivalForm, id: 'small', title: 'Small, 2' });
  expect(await type('form', 'load', next)).toContain('small, version 2');
  expect((await builtIn()).filter(({ type }) => type === 'small').map(({ version }) => version)).toEqual([1, 2]);
  expect(await type('form', 'list')).toMatch(/small +2 +Small, 2/);
});

test('a form loaded for one office is available to that office alone', async () => {
  const file = await fileOf('own.json', { ...arrivalForm, id: 'own' });
  expect(await type('form', 'load', file, '--office', testApp.maple.npi)).toContain('for that office');
  expect((await settings()).known.find(({ formType }) => formType === 'own')).toMatchObject({ own: true, version: 1 });
  expect((await settings(testApp.other)).known.some(({ formType }) => formType === 'own')).toBe(false);
  const { known } = await settings();
  const id = known.find(({ formType }) => formType === 'own')?.id ?? '';
  expect((await testApp.call(formsSettings.readForm, { params: { definitionId: id } })).body).toMatchObject({
    own: true,
  });
  const theirs = await testApp.call(formsSettings.readForm, { params: { definitionId: id } }, { as: testApp.other });
  expect(theirs).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
});

test.each([
  ['no JSON', '{"resourceType":'],
  ['something else', JSON.stringify({ resourceType: 'Patient' })],
  ['no items', JSON.stringify({ resourceType: 'Questionnaire' })],
  ['an older FHIR', JSON.stringify({ resourceType: 'Questionnaire', group: { question: [] } })],
  ['circles', JSON.stringify(circle())],
  [
    'the same name twice',
    JSON.stringify({
      resourceType: 'Questionnaire',
      item: [
        { linkId: '1', type: 'string' },
        { linkId: '1', type: 'string' },
      ],
    }),
  ],
  ['a calculation nobody understands', JSON.stringify(calculating('item.where('))],
  ['no names', JSON.stringify({ resourceType: 'Questionnaire', item: [{ type: 'string' }] })],
])('loading a file with %s is refused with an explanation', async (_what, text) => {
  const before = (await settings()).known.length;
  const { status, body } = await load(text);
  expect(status).toBe(200);
  expect(body.form).toBeNull();
  expect(body.findings.some(({ severity }) => severity === 'error')).toBe(true);
  expect((await settings()).known).toHaveLength(before);
  const file = await fileOf('bad.json', text);
  expect(await type('form', 'load', file)).toContain('Nothing was loaded.');
});

test('loading a huge form is refused before it is parsed', async () => {
  expect(await load('x'.repeat(1_450_000))).toMatchObject({ status: 400 });
  expect(await load('x'.repeat(1_700_000))).toMatchObject({ status: 413 });
});

test('checking a form does not load it', async () => {
  const { body } = await load(JSON.stringify({ ...arrivalForm, id: 'only-checked' }), true);
  expect(body.form).toBeNull();
  expect(body.findings.every(({ severity }) => severity === 'warning')).toBe(true);
  expect((await settings()).known.some(({ formType }) => formType === 'only-checked')).toBe(false);
});

test('the requested forms are stored in their order, once each, without unknown ones', async () => {
  await load(JSON.stringify({ ...arrivalForm, id: 'first' }));
  await load(JSON.stringify({ ...arrivalForm, id: 'second' }));
  const save = (wanted: ReturnType<typeof formSetting>[]) =>
    testApp.call(formsSettings.saveFormSettings, { body: { forms: wanted } });
  const wanted = [formSetting('second'), formSetting('first', { enabled: false }), formSetting('first', { day: 3 })];
  expect((await save(wanted)).body.forms).toEqual(wanted);
  expect((await settings()).forms).toEqual(wanted);
  expect(await save([formSetting('first'), formSetting('first')])).toMatchObject({ status: 400 });
  expect(await save([formSetting('nowhere')])).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
  expect((await settings()).forms).toEqual(wanted);
});

function circle() {
  const when = (question: string) => [{ question, operator: 'exists', answerBoolean: true }];
  return {
    resourceType: 'Questionnaire',
    id: 'circle',
    item: [
      { linkId: 'a', type: 'string', text: 'A', enableWhen: when('b') },
      { linkId: 'b', type: 'string', text: 'B', enableWhen: when('a') },
    ],
  };
}

function calculating(expression: string) {
  const url = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression';
  const extension = [{ url, valueExpression: { language: 'text/fhirpath', expression } }];
  return { resourceType: 'Questionnaire', item: [{ linkId: 'sum', type: 'integer', text: 'Sum', extension }] };
}
