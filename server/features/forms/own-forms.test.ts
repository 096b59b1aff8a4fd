import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsSettings } from '#contract/index.ts';
import type { Item } from '#questionnaire/questionnaire.ts';
import { arrivalForm, formSetting, openVisitPhone } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { loadBuiltInForms } from './index.ts';

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp();
  await loadBuiltInForms(testApp.services);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  office = await testApp.office();
});

type Load = { check?: boolean; formType?: string };
const load = async (questionnaire: unknown, given: Load = {}) => {
  const text = typeof questionnaire === 'string' ? questionnaire : JSON.stringify(questionnaire);
  return (await testApp.call(formsSettings.loadForm, { body: { text, ...given } }, { as: office })).body;
};
const settings = async (as = office) => (await testApp.call(formsSettings.readFormSettings, {}, { as })).body;
const save = (forms: ReturnType<typeof formSetting>[]) =>
  testApp.call(formsSettings.saveFormSettings, { body: { forms } }, { as: office });
const choose = (formType: string, version: number, as = office) =>
  testApp.call(formsSettings.chooseFormVersion, { params: { formType }, body: { version } }, { as });
const inUse = async (type: string) => {
  const found = (await settings()).known.find(({ formType }) => formType === type);
  return found && { version: found.version, own: found.own };
};
const titled = (title: string, id = 'own') => ({ ...arrivalForm, id, title });
const oneItem = (item: Partial<Item> & Record<string, unknown>) => ({
  resourceType: 'Questionnaire',
  id: 'one',
  status: 'active',
  title: 'One',
  item: [
    {
      linkId: 'above',
      type: 'group',
      text: 'Above',
      item: [{ linkId: 'q', type: 'integer', text: 'How many?', ...item }],
    },
  ],
});
const calculates = (expression: string) =>
  oneItem({
    extension: [
      {
        url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
        valueExpression: { language: 'text/fhirpath', expression },
      },
    ],
  });

test('checking a form says what it would become, and what it would replace', async () => {
  const first = await load(titled('First'), { check: true });
  expect(first).toMatchObject({
    form: null,
    becomes: { formType: 'own', version: 1, name: { en: 'First' }, replaces: null },
  });
  await load(titled('First'));
  expect((await load(titled('First'), { check: true })).becomes).toMatchObject({
    version: 1,
    replaces: { version: 1 },
  });
  expect((await load(titled('Second'), { check: true })).becomes).toMatchObject({
    version: 2,
    replaces: { version: 1 },
  });
  expect((await load({ ...titled('X'), id: 'photo-id' }, { check: true })).becomes).toMatchObject({
    version: 2,
    replaces: { formType: 'photo-id', own: false },
  });
});

test('a file with another name replaces the form it is loaded for', async () => {
  await load(titled('First'));
  const { form } = await load(titled('Second', 'quite-another'), { formType: 'own' });
  expect(form).toMatchObject({ formType: 'own', version: 2, name: { en: 'Second' } });
  expect(await inUse('quite-another')).toBeUndefined();
});

test('a replacement can be undone and used again', async () => {
  await load(titled('First'));
  await load(titled('Second'));
  expect(await inUse('own')).toEqual({ version: 2, own: true });
  expect((await choose('own', 1)).status).toBe(200);
  expect(await inUse('own')).toEqual({ version: 1, own: true });
  await load(titled('Second'));
  expect(await inUse('own')).toEqual({ version: 2, own: true });
  await choose('own', 1);
  await load(titled('Third'));
  expect(await inUse('own')).toEqual({ version: 3, own: true });
});

test('a form no longer requested can be removed, is listed as removed, and can be restored', async () => {
  await load(titled('Own'));
  await save([formSetting('own', { enabled: false })]);
  expect(await choose('own', 0)).toMatchObject({ status: 409, body: { code: 'form_in_use' } });
  expect(await inUse('own')).toEqual({ version: 1, own: true });
  await save([]);
  const { body } = await choose('own', 0);
  expect(body.known.some(({ formType }) => formType === 'own')).toBe(false);
  expect(body.removed).toMatchObject([{ formType: 'own', version: 1, own: true }]);
  expect(await save([formSetting('own')])).toMatchObject({ status: 404 });
  expect((await choose('own', 1)).body.removed).toEqual([]);
  expect(await inUse('own')).toEqual({ version: 1, own: true });
  expect((await testApp.auditEntries(office)).filter(({ action }) => action === 'form.use')).toHaveLength(3);
});

test('removing a form that replaced a built-in one restores the built-in one, even while it is requested', async () => {
  await load({ ...titled('Our photo ID'), id: 'photo-id' });
  await save([formSetting('photo-id')]);
  expect(await inUse('photo-id')).toEqual({ version: 2, own: true });
  expect((await choose('photo-id', 0)).status).toBe(200);
  expect(await inUse('photo-id')).toEqual({ version: 1, own: false });
});

test('a patient can finish a form that was removed after they began it', async () => {
  const { form } = await load(titled('Own'));
  await save([formSetting('own')]);
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId: form?.id, answers: { reason: ['Cough'] } }, 'own');
  await save([]);
  await choose('own', 0);
  expect((await phone.read(memberId, 'own')).body.answers).toEqual({ reason: ['Cough'] });
});

test('removing a form of another office, or an unknown one, is refused', async () => {
  await load(titled('Own'));
  const theirs = await testApp.office();
  expect(await choose('own', 0, theirs)).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
  expect(await choose('photo-id', 0)).toMatchObject({ status: 404 });
  expect(await inUse('own')).toEqual({ version: 1, own: true });
});

test('a form without a visible name uses its own', async () => {
  const { body } = await save([formSetting('photo-id', { visibleName: { en: ' ', es: 'Su identificación' } })]);
  expect(body.forms[0]?.visibleName).toEqual({ en: 'Photo ID', es: 'Su identificación' });
});

test('a broken calculation is reported with its position, and the form is not loaded', async () => {
  const { form, becomes, findings } = await load(calculates('%resource.item.where('));
  expect([form, becomes]).toEqual([null, null]);
  expect(findings.find(({ code }) => code === 'expression_not_understood')).toMatchObject({
    severity: 'error',
    place: 'item[0].item[0]',
  });
  expect((await load(calculates('1 + 1'))).form).toMatchObject({ formType: 'one', version: 1 });
});

test('findings say at which question and in which expression, errors first and in the order of the file', async () => {
  const asked = (linkId: string, more: object) => ({ linkId, type: 'integer', text: `Question ${linkId}`, ...more });
  const uses = (name: string) => ({
    extension: [
      {
        url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
        valueExpression: { language: 'text/fhirpath', expression: `%${name}` },
      },
    ],
  });
  const many = Array.from({ length: 120 }, (_, i) => asked(`q${i}`, uses('missing')));
  const { findings } = await load(
    { resourceType: 'Questionnaire', id: 'many', title: 'Many', item: [...many, asked('last', { repeats: 'x' })] },
    { check: true },
  );
  expect(findings[0]).toMatchObject({ code: 'wrong_shape', severity: 'error', place: 'item[120].repeats' });
  const names = findings.filter(({ code }) => code === 'name_not_defined');
  expect(names.map(({ linkId }) => linkId)).toEqual(many.map(({ linkId }) => linkId));
  expect(names[10]).toMatchObject({ words: 'Question q10', expression: '%missing', detail: '%missing' });
});

test.each([
  ['a NUL', JSON.stringify(oneItem({ text: 'a\0b' })), 'text_broken', 'item[0].item[0].text'],
  ['half a character', JSON.stringify(oneItem({ text: '\ud83d' })), 'text_broken', 'item[0].item[0].text'],
  [
    'something nested without end',
    JSON.stringify(oneItem({ extension: [{ url: 'urn:x', valueX: 'DEEP' }] })).replace(
      '"DEEP"',
      '['.repeat(200_000) + ']'.repeat(200_000),
    ),
    'too_deep',
    'item[0].item[0].extension[0].valueX',
  ],
])('loading a form with %s reports it and stores nothing', async (_what, text, code, place) => {
  const { form, findings } = await load(text);
  expect(form).toBeNull();
  expect(findings).toContainEqual(expect.objectContaining({ code, place, severity: 'error' }));
});
