import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { structureProblems } from '#testing/fhir/structure.ts';

const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';
const loinc = (code: string, display: string) => ({ system: 'http://loinc.org', code, display });
const kg = {
  url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-unit',
  valueCoding: { system: 'http://unitsofmeasure.org', code: 'kg', display: 'kg' },
};
const observed = (valueBoolean: boolean) => ({ url: `${sdc}observationExtract`, valueBoolean });
const form = (id: string, fields: Partial<Questionnaire>): Questionnaire => ({
  resourceType: 'Questionnaire',
  id,
  url: `https://example.org/Questionnaire/${id}`,
  status: 'active',
  title: 'Values',
  ...fields,
});

const observations = form('observations', {
  extension: [observed(true)],
  item: [
    { linkId: 'weight', type: 'decimal', text: 'Weight', code: [loinc('29463-7', 'Body weight')], extension: [kg] },
    {
      linkId: 'panel',
      type: 'group',
      text: 'Drinking',
      code: [loinc('72110-0', 'Alcohol panel')],
      item: [
        {
          linkId: 'often',
          type: 'choice',
          text: 'How often?',
          code: [loinc('68518-0', 'How often')],
          answerOption: [{ valueCoding: loinc('LA6270-8', 'Never') }],
        },
        { linkId: 'private', type: 'boolean', text: 'Secret', code: [loinc('1-8', 'X')], extension: [observed(false)] },
      ],
    },
    { linkId: 'uncoded', type: 'string', text: 'Anything else?' },
    { linkId: 'skipped', type: 'integer', text: 'Not answered', code: [loinc('2-6', 'Y')] },
  ],
});

const starts = (type: string) => ({
  url: `${sdc}definitionExtract`,
  extension: [{ url: 'definition', valueCanonical: `http://hl7.org/fhir/StructureDefinition/${type}` }],
});
const at = (path: string) => `http://hl7.org/fhir/StructureDefinition/${path.split('.')[0] ?? ''}#${path}`;
const fixed = (path: string, value: object) => ({
  url: `${sdc}definitionExtractValue`,
  extension: [
    { url: 'definition', valueUri: at(path) },
    { url: 'fixed-value', ...value },
  ],
});
const calculated = (path: string, expression: string) => ({
  url: `${sdc}definitionExtractValue`,
  extension: [
    { url: 'definition', valueUri: at(path) },
    { url: 'expression', valueExpression: { language: 'text/fhirpath', expression } },
  ],
});

const definitions = form('definitions', {
  extension: [starts('Patient')],
  item: [
    {
      linkId: 'name',
      type: 'group',
      text: 'Name',
      definition: at('Patient.name'),
      item: [
        { linkId: 'given', type: 'string', text: 'Given names', repeats: true, definition: at('Patient.name.given') },
        { linkId: 'family', type: 'string', text: 'Family name', definition: at('Patient.name.family') },
      ],
    },
    {
      linkId: 'gender',
      type: 'choice',
      text: 'Gender',
      definition: at('Patient.gender'),
      answerOption: [
        { valueCoding: { system: 'http://hl7.org/fhir/administrative-gender', code: 'female', display: 'Female' } },
      ],
    },
    {
      linkId: 'allergy',
      type: 'group',
      text: 'Allergy',
      repeats: true,
      extension: [
        starts('AllergyIntolerance'),
        fixed('AllergyIntolerance.verificationStatus', {
          valueCodeableConcept: {
            coding: [
              {
                system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-verification',
                code: 'unconfirmed',
              },
            ],
          },
        }),
        calculated('AllergyIntolerance.patient', '%resource.subject'),
      ],
      item: [
        { linkId: 'to', type: 'string', text: 'To what?', definition: at('AllergyIntolerance.code') },
        {
          linkId: 'what',
          type: 'string',
          text: 'What happens?',
          definition: at('AllergyIntolerance.reaction.description'),
        },
      ],
    },
  ],
});

const value = (valueString: string) => ({ extension: [{ url: `${sdc}templateExtractValue`, valueString }] });
const context = (valueString: string) => ({ url: `${sdc}templateExtractContext`, valueString });
const templates = form('templates', {
  contained: [
    {
      resourceType: 'RelatedPerson',
      id: 'contact',
      patient: { _reference: value('%resource.subject.reference') },
      name: [{ use: 'official', _text: value("item.where(linkId='contact-name').answer.value.first()") }],
      telecom: [
        {
          extension: [context("item.where(linkId='phone').answer")],
          system: 'phone',
          use: 'mobile',
          _value: value('value'),
        },
        {
          extension: [context("item.where(linkId='email').answer")],
          system: 'email',
          _value: value('value'),
        },
      ],
    },
    {
      resourceType: 'Observation',
      id: 'height',
      status: 'final',
      code: { coding: [loinc('8302-2', 'Body height')] },
      subject: { _reference: value('%resource.subject.reference') },
      performer: [{ _reference: value('%Contact') }],
      valueQuantity: {
        _value: value("item.where(linkId='height').answer.value"),
        unit: 'cm',
        system: 'http://unitsofmeasure.org',
        code: 'cm',
      },
    },
  ] as never,
  extension: [
    { url: `${sdc}extractAllocateId`, valueString: 'Contact' },
    { url: `${sdc}templateExtract`, extension: [{ url: 'template', valueReference: { reference: '#height' } }] },
  ],
  item: [
    { linkId: 'height', type: 'decimal', text: 'Height in cm' },
    {
      linkId: 'contact',
      type: 'group',
      text: 'Emergency contact',
      extension: [
        {
          url: `${sdc}templateExtract`,
          extension: [
            { url: 'template', valueReference: { reference: '#contact' } },
            { url: 'fullUrl', valueString: '%Contact' },
          ],
        },
      ],
      item: [
        { linkId: 'contact-name', type: 'string', text: 'Name' },
        { linkId: 'phone', type: 'string', text: 'Phone', repeats: true },
        { linkId: 'email', type: 'string', text: 'Email' },
      ],
    },
  ],
});

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
});

const newestKey = async (as = office) =>
  (await testApp.call(formsDesk.listFormPaths, { query: {} }, { as })).body.forms[0]?.objectKey ?? '';
const values = (key: string, as = office) => testApp.call(formsDesk.readExtractedValues, { query: { key } }, { as });
const bundle = async (key: string, as = office) => {
  const { status, body } = await testApp.call(formsDesk.downloadFormBundle, { query: { key } }, { as });
  const { entry = [] } = body as { entry?: { fullUrl: string; resource: Record<string, unknown>; request: unknown }[] };
  return {
    status,
    body,
    entry,
    ofType: (type: string) => entry.filter(({ resource }) => resource['resourceType'] === type),
  };
};
const file = async (questionnaire: Questionnaire, answers: Record<string, unknown[]>) => {
  await requestForms(testApp, office, [questionnaire]);
  await submittedForm(testApp, { office }, questionnaire.id ?? '', answers);
  return newestKey();
};

const observedAnswers = {
  weight: [72.5],
  often: [loinc('LA6270-8', 'Never')],
  private: [true],
  uncoded: ['No'],
};

test('coded answers become observations, with their unit, their panel and the patient', async () => {
  const key = await file(observations, observedAnswers);
  const { status, body, entry, ofType } = await bundle(key);
  expect(status).toBe(200);
  expect(body).toMatchObject({ resourceType: 'Bundle', type: 'transaction' });
  expect(structureProblems(body)).toEqual([]);
  expect(entry.map(({ resource }) => resource['resourceType'])).toEqual([
    'Patient',
    'QuestionnaireResponse',
    'Observation',
    'Observation',
    'Observation',
  ]);
  const [patient, response] = [ofType('Patient')[0]?.fullUrl, ofType('QuestionnaireResponse')[0]?.fullUrl];
  const [weight, panel, often] = ofType('Observation');
  expect(weight?.resource).toMatchObject({
    status: 'final',
    code: { coding: [loinc('29463-7', 'Body weight')], text: 'Weight' },
    category: [{ coding: [{ code: 'vital-signs' }] }],
    meta: { profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-body-weight'] },
    subject: { reference: patient },
    effectiveDateTime: '2026-03-02T15:00:00.000Z',
    valueQuantity: { value: 72.5, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' },
    derivedFrom: [{ reference: response }],
  });
  expect(often?.resource).toMatchObject({ valueCodeableConcept: { coding: [loinc('LA6270-8', 'Never')] } });
  expect(panel?.resource).toMatchObject({ hasMember: [{ reference: often?.fullUrl }] });
  for (const { request } of entry)
    expect(request).toMatchObject({
      method: 'POST',
      ifNoneExist: expect.stringMatching(/^identifier=urn:ietf:rfc:3986\|urn:uuid:/) as unknown,
    });
  // Extracting once more gives the same resources, so a server creates them once.
  expect((await bundle(key)).body).toEqual(body);
  expect((await values(key)).body).toEqual({
    values: [
      { resource: 'Observation', name: 'Weight', value: '72.5 kg' },
      { resource: 'Observation', name: 'How often?', value: 'Never' },
    ],
    problems: [],
  });
});

test('definitions fill the patient and a resource for each repetition of a group', async () => {
  const key = await file(definitions, {
    given: ['Ada', 'Augusta'],
    family: ['King'],
    gender: [{ system: 'http://hl7.org/fhir/administrative-gender', code: 'female', display: 'Female' }],
    allergy: [2],
    'to#0': ['Penicillin'],
    'what#0': ['Rash'],
    'to#1': ['Nuts'],
  });
  const { body, ofType } = await bundle(key);
  expect(structureProblems(body)).toEqual([]);
  const [patient, ...more] = ofType('Patient');
  expect(more).toEqual([]);
  expect(patient?.resource).toMatchObject({
    name: [{ given: ['Ada', 'Augusta'], family: 'King' }],
    gender: 'female',
    birthDate: '1990-12-10',
  });
  const subject = { reference: patient?.fullUrl };
  expect(ofType('AllergyIntolerance').map(({ resource }) => resource)).toMatchObject([
    { code: { text: 'Penicillin' }, reaction: [{ description: 'Rash' }], patient: subject },
    { code: { text: 'Nuts' }, verificationStatus: { coding: [{ code: 'unconfirmed' }] }, patient: subject },
  ]);
  const table = (await values(key)).body;
  expect(table.problems).toEqual([]);
  expect(table.values).toContainEqual({ resource: 'AllergyIntolerance', name: 'code', value: 'Penicillin' });
  expect(table.values).toContainEqual({ resource: 'Patient', name: 'name.family', value: 'King' });
});

test('templates are filled by their expressions; what nobody answered is left out', async () => {
  const key = await file(templates, { height: [172], 'contact-name': ['Lord Byron'], phone: ['555-1000', '555-2000'] });
  const { body, ofType } = await bundle(key);
  expect(structureProblems(body)).toEqual([]);
  const patient = { reference: ofType('Patient')[0]?.fullUrl };
  const [contact] = ofType('RelatedPerson');
  expect(contact?.resource).toMatchObject({
    patient,
    name: [{ use: 'official', text: 'Lord Byron' }],
    telecom: [
      { system: 'phone', use: 'mobile', value: '555-1000' },
      { system: 'phone', use: 'mobile', value: '555-2000' },
    ],
  });
  expect(ofType('Observation')[0]?.resource).toMatchObject({
    subject: patient,
    performer: [{ reference: contact?.fullUrl }],
    valueQuantity: { value: 172, unit: 'cm' },
  });
  expect(JSON.stringify(body)).not.toContain('templateExtract');
});

test.each([
  ['entries', 11, 'short'],
  ['bytes', 8, 'x'.repeat(4_000)],
])(
  'answers that become too many %s are refused with a clear error, not sent to the server',
  async (_what, times, message) => {
    const many: Questionnaire = form('many', {
      contained: [
        {
          resourceType: 'Bundle',
          id: 'all',
          type: 'transaction',
          entry: [
            {
              extension: [context(`'${'abcdefgh'.repeat(25)}'.toChars()`)],
              resource: { resourceType: 'Basic', code: { text: message } },
              request: { method: 'POST', url: 'Basic' },
            },
          ],
        },
      ] as never,
      extension: Array.from({ length: times }, () => ({
        url: `${sdc}templateExtractBundle`,
        valueReference: { reference: '#all' },
      })),
      item: [{ linkId: 'note', type: 'string', text: 'Note' }],
    });
    const key = await file(many, { note: ['Hello'] });
    for (const reply of [await values(key), await bundle(key)])
      expect(reply).toMatchObject({ status: 422, body: { code: 'extraction_too_large' } });
  },
);

test('a template that is missing and an expression that fails are reported; the rest is extracted', async () => {
  const broken: Item = {
    linkId: 'group',
    type: 'group',
    text: 'Group',
    extension: [
      { url: `${sdc}templateExtract`, extension: [{ url: 'template', valueReference: { reference: '#gone' } }] },
      starts('AllergyIntolerance'),
      calculated('AllergyIntolerance.code', 'nonsense('),
    ],
    item: [{ linkId: 'to', type: 'string', text: 'To what?', definition: at('AllergyIntolerance.code') }],
  };
  const key = await file(form('broken', { item: [broken] }), { to: ['Dust'] });
  expect((await values(key)).body).toMatchObject({
    values: [{ resource: 'AllergyIntolerance', name: 'code', value: 'Dust' }],
    problems: expect.arrayContaining([
      { code: 'expression', linkId: 'group', detail: 'nonsense(' },
      { code: 'template', linkId: 'group', detail: '#gone' },
    ]) as unknown,
  });
});

test('a form that says nothing about other software has no values, and another office’s form is not found', async () => {
  const key = await file(form('plain', { item: [{ linkId: 'a', type: 'string', text: 'A' }] }), { a: ['1'] });
  expect((await values(key)).body).toEqual({ values: [], problems: [] });
  expect((await bundle(key)).entry).toHaveLength(2);
  expect((await values(key, testApp.other)).status).toBe(404);
  expect((await bundle(key, testApp.other)).status).toBe(404);
  const entries = (await testApp.auditEntries(office)).filter(({ outcome }) => outcome === 'done');
  expect(entries.map(({ action }) => action).filter((action) => /^form\.(open|download)$/.test(action))).toEqual([
    'form.open',
    'form.download',
  ]);
});
