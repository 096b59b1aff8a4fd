import { beforeAll, describe, expect, test } from 'vitest';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import type { AnswerOption, Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { toResponse } from '#questionnaire/expressions/response.ts';
import type { Value } from '#questionnaire/values.ts';

// The shapes in which instruments such as PHQ-9, GAD-7, AUDIT-C and PROMIS are published; the questions are our own.

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const ordinal = (valueDecimal: number): Extension => ({ url: `${fhir}ordinalValue`, valueDecimal });
const weight = (valueDecimal: number): Extension => ({ url: `${fhir}itemWeight`, valueDecimal });
const codes = ['LA6568-5', 'LA6569-3', 'LA6570-1', 'LA6571-9'];
const system = 'http://loinc.org';

const onCoding: AnswerOption[] = codes.map((code, i) => ({ valueCoding: { system, code, extension: [ordinal(i)] } }));
const onOption: AnswerOption[] = codes.map((code, i) => ({ extension: [ordinal(i)], valueCoding: { system, code } }));
const onBoth: AnswerOption[] = codes.map((code, i) => ({
  extension: [ordinal(i)],
  valueCoding: { system, code, extension: [ordinal(i)] },
}));
const weights: AnswerOption[] = codes.map((code, i) => ({ valueCoding: { system, code, extension: [weight(i)] } }));
const texts: AnswerOption[] = codes.map((code, i) => ({
  valueString: code,
  _valueString: {},
  extension: [ordinal(i)],
}));

const choice = (linkId: string, answerOption: AnswerOption[]): Item => ({
  linkId,
  type: 'choice',
  text: linkId,
  required: true,
  answerOption,
});
const total = (expression: string, type = 'decimal'): Item => ({
  linkId: 'total',
  type,
  text: 'Total',
  readOnly: true,
  extension: [
    {
      url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
      valueExpression: { language: 'text/fhirpath', expression },
    },
  ],
});
const variable = (name: string, expression: string): Extension => ({
  url: `${fhir}variable`,
  valueExpression: { name, language: 'text/fhirpath', expression },
});
const form = (item: Item[], more: Partial<Questionnaire> = {}): Questionnaire => {
  const { questionnaire, findings } = checkQuestionnaire(
    JSON.stringify({ resourceType: 'Questionnaire', item, ...more }),
  );
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return questionnaire as Questionnaire;
};
const scored = (questionnaire: Questionnaire, answers: Record<string, Value[]>) => {
  const settled = settleCalculations(questionnaire, answers, expressions);
  expect(settled.failed).toEqual([]);
  return settled.answers['total'];
};
const coded = (i: number): Value[] => [{ system, code: codes[i] ?? '' }];

const byUrl = ".extension.where(url='http://hl7.org/fhir/StructureDefinition/ordinalValue')";
const sums: [string, string][] = [
  ['value of every item', `%resource.item.answer.value${byUrl}.value.sum()`],
  ['valueCoding and valueDecimal', `%resource.item.answer.valueCoding${byUrl}.valueDecimal.sum()`],
  [
    'descendants of a prefix',
    `%resource.descendants().where(linkId.startsWith('q')).answer.valueCoding${byUrl}.valueDecimal.sum()`,
  ],
  [
    'extension() by its address',
    "%resource.item.answer.valueCoding.extension('http://hl7.org/fhir/StructureDefinition/ordinalValue').value.sum()",
  ],
  ['aggregate', `%resource.item.answer.value${byUrl}.value.aggregate($total + $this, 0)`],
  [
    'one term for each question',
    ['q1', 'q2', 'q3'].map((q) => `%resource.item.where(linkId='${q}').answer.value${byUrl}.value`).join(' + '),
  ],
  ['the path from the context', `%context.repeat(item).answer.value${byUrl}.value.sum()`],
];

describe.each([
  ['the option’s coding', onCoding],
  ['the option itself', onOption],
  ['both', onBoth],
])('scores at %s', (_, answerOption) => {
  test.each(sums)('are added up by %s', (_name, expression) => {
    const questionnaire = form([...['q1', 'q2', 'q3'].map((q) => choice(q, answerOption)), total(expression)]);
    expect(scored(questionnaire, { q1: coded(3), q2: coded(1), q3: coded(2) })).toEqual([6]);
    expect(scored(questionnaire, { q1: coded(0), q2: coded(0), q3: coded(0) })).toEqual([0]);
  });
});

test('scores of a contained value set are added up', () => {
  const concept = codes.map((code, i) => ({ code, extension: [ordinal(i)] }));
  for (const set of [{ compose: { include: [{ system, concept }] } }, { expansion: { contains: concept } }]) {
    const questionnaire = form(
      [
        { linkId: 'q1', type: 'choice', text: 'q1', answerValueSet: '#often' },
        { linkId: 'q2', type: 'choice', text: 'q2', answerValueSet: '#often' },
        total(`%resource.item.answer.valueCoding${byUrl}.value.sum()`, 'integer'),
      ],
      { contained: [{ resourceType: 'ValueSet', id: 'often', ...set }] },
    );
    expect(scored(questionnaire, { q1: [{ code: 'LA6571-9' }], q2: [{ code: 'LA6570-1' }] })).toEqual([5]);
  }
});

test('item weights are added up', () => {
  const questionnaire = form([
    choice('q1', weights),
    choice('q2', weights),
    total(`%resource.item.answer.valueCoding.extension('${fhir}itemWeight').value.sum()`),
  ]);
  expect(scored(questionnaire, { q1: coded(3), q2: coded(2) })).toEqual([5]);
});

test('options that are plain texts are scored by the extensions of their text', () => {
  const questionnaire = form([choice('q1', texts), total(`%resource.item.answer.value${byUrl}.value.sum()`)]);
  expect(scored(questionnaire, { q1: [codes[2] ?? ''] })).toEqual([2]);
});

test('scores in variables that read the questionnaire are added up', () => {
  const fromQuestionnaire = (q: string) =>
    variable(
      q,
      `%questionnaire.item.where(linkId = '${q}').answerOption.where(valueCoding.code=%resource.item.where(linkId = '${q}').answer.valueCoding.code)${byUrl}.valueDecimal`,
    );
  const questionnaire = form([choice('q1', onOption), choice('q2', onOption), total('%q1 + %q2')], {
    extension: [fromQuestionnaire('q1'), fromQuestionnaire('q2')],
  });
  expect(scored(questionnaire, { q1: coded(3), q2: coded(1) })).toEqual([4]);
});

test('a reversed item is scored by its own options', () => {
  const reversed = codes.map((code, i) => ({ valueCoding: { system, code, extension: [ordinal(3 - i)] } }));
  const questionnaire = form([
    choice('q1', onCoding),
    choice('q2', reversed),
    total(`%resource.item.answer.valueCoding${byUrl}.value.sum()`),
  ]);
  expect(scored(questionnaire, { q1: coded(3), q2: coded(3) })).toEqual([3]);
});

test('a sum of terms has no result until each question is answered', () => {
  const questionnaire = form([choice('q1', onCoding), choice('q2', onCoding), total(sums[5]?.[1] ?? '')]);
  expect(scored(questionnaire, { q1: coded(3) })).toBeUndefined();
});

test('the filed response holds plain codings without the options’ extensions', () => {
  const questionnaire = form([choice('q1', onCoding)]);
  const response = toResponse(questionnaire, { q1: coded(3) }, { status: 'completed' });
  expect(response.item?.[0]?.answer).toEqual([{ valueCoding: { system, code: 'LA6571-9' } }]);
});
