import { beforeAll, expect, test } from 'vitest';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { settleCalculations, startExpressions } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { urls } from '#questionnaire/extensions.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { launchKind, launchNames } from './launch-context.ts';

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

const declared = (name: string, ...types: string[]): Extension => ({
  url: urls.launchContext,
  extension: [
    { url: 'name', valueCoding: { system: 'http://hl7.org/fhir/uv/sdc/CodeSystem/launchContext', code: name } },
    ...types.map((type) => ({ url: 'type', valueCode: type })),
  ],
});
const by = (url: string, expression: string) => ({ url, valueExpression: { language: 'text/fhirpath', expression } });
const item = (linkId: string, type: string, ...extension: Extension[]): Item => ({
  linkId,
  type,
  text: linkId,
  extension,
});
const form = (extension: Extension[], ...items: Item[]): Questionnaire => ({
  resourceType: 'Questionnaire',
  status: 'active',
  extension,
  item: items,
});
const patient = {
  resourceType: 'Patient',
  name: [{ use: 'official', family: 'Byron', given: ['Ada'] }],
  birthDate: '1990-12-10',
  telecom: [{ system: 'phone', value: '+12125550143' }],
};

const intake = form(
  [
    declared('patient', 'Patient'),
    {
      url: urls.variable,
      valueExpression: {
        name: 'name',
        language: 'text/fhirpath',
        expression: "%patient.name.where(use = 'official').first()",
      },
    } as Extension,
  ],
  item('first', 'string', by(urls.initialBy, '%name.given.first()')),
  item('last', 'string', by(urls.initialBy, '%name.family')),
  item('born', 'date', by(urls.initialBy, '%patient.birthDate')),
  item('phone', 'string', by(urls.initialBy, "%patient.telecom.where(system = 'phone').value.first()")),
  item(
    'age',
    'integer',
    by(
      urls.calculated,
      'today().toString().substring(0, 4).toInteger() - %patient.birthDate.toString().substring(0, 4).toInteger()',
    ),
  ),
);

test('initial expressions read the declared patient, also through variables', () => {
  const setting = { today: '2026-05-04', launch: { patient } };
  expect(startExpressions(intake, {}, expressions, setting)).toEqual({
    first: ['Ada'],
    last: ['Byron'],
    born: ['1990-12-10'],
    phone: ['+12125550143'],
  });
  expect(settleCalculations(intake, {}, expressions, setting).answers['age']).toEqual([36]);
});

test('without a known patient initial expressions leave their questions empty', () => {
  expect(startExpressions(intake, {}, expressions, { today: '2026-05-04' })).toEqual({});
});

test('a variable of the form wins over what the form is opened with', () => {
  const own = {
    url: urls.variable,
    valueExpression: { name: 'patient', language: 'text/fhirpath', expression: "'mine'" },
  };
  const questionnaire = form(
    [declared('patient', 'Patient'), own],
    item('a', 'string', by(urls.initialBy, '%patient')),
  );
  expect(startExpressions(questionnaire, {}, expressions, { launch: { patient } })).toEqual({ a: ['mine'] });
});

test('launch context is read in each of the ways it is written, and odd names are left out', () => {
  const older = (name: string): Extension => ({
    url: urls.launchContext,
    extension: [
      { url: 'name', valueId: name },
      { url: 'type', valueCode: 'Patient' },
    ],
  });
  expect([
    ...launchNames(form([declared('user', 'Patient', 'Practitioner'), older('LaunchPatient'), older('__proto__')])),
  ]).toEqual([
    ['user', ['Patient', 'Practitioner']],
    ['LaunchPatient', ['Patient']],
  ]);
});

test.each([
  ['patient', ['Patient'], 'patient'],
  ['LaunchPatient', ['Patient'], 'patient'],
  ['user', ['Practitioner', 'RelatedPerson'], 'user'],
  ['user', ['Practitioner'], undefined],
  ['encounter', ['Encounter'], 'encounter'],
  ['study', ['ResearchStudy'], undefined],
])('%s of type %s is %s at a visit', (name, types, kind) => {
  expect(launchKind(name, types)).toBe(kind);
});

test('a check warns of names that are not declared, and of those that are declared and not known at a visit', () => {
  const reading = (expression: string) => item('a', 'string', by(urls.initialBy, expression));
  const codes = (questionnaire: Questionnaire) =>
    checkQuestionnaire(questionnaire)
      .findings.map(({ code }) => code)
      .filter((code) => code !== 'not_translated');
  expect(codes(form([declared('patient', 'Patient')], reading('%patient.name.text')))).toEqual([]);
  expect(codes(form([], reading('%patient.name.text')))).toEqual(['name_not_defined']);
  expect(codes(form([declared('study', 'ResearchStudy')], reading('%study.title')))).toEqual(['context_not_known']);
});
