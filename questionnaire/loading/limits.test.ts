import { describe, expect, test } from 'vitest';
import { checkQuestionnaire } from './check-questionnaire.ts';
import { expressionFlaw } from '#questionnaire/expressions/expression-limits.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import { visibleItems } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { findingMessage } from './finding-messages.ts';
import { formOf } from '#questionnaire/form.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import { limits, type Extension, type Item, type Questionnaire } from '#questionnaire/questionnaire.ts';
import { toResponse } from '#questionnaire/expressions/response.ts';

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const minOccurs = (valueInteger: number): Extension => ({ url: `${fhir}questionnaire-minOccurs`, valueInteger });
const calculated = (expression: string): Extension => ({
  url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
  valueExpression: { language: 'text/fhirpath', expression },
});
const formWith = (item: Item[], more: Partial<Questionnaire> = {}): Questionnaire => ({
  resourceType: 'Questionnaire',
  item,
  ...more,
});
const group = (linkId: string, item: Item[], more: Partial<Item> = {}): Item => ({
  linkId,
  type: 'group',
  text: linkId,
  repeats: true,
  item,
  ...more,
});
const question = (linkId: string, more: Partial<Item> = {}): Item => ({
  linkId,
  type: 'string',
  text: linkId,
  ...more,
});
const errorsIn = (questionnaire: Questionnaire) =>
  checkQuestionnaire(JSON.stringify(questionnaire)).findings.filter(({ severity }) => severity === 'error');

describe('repetitions', () => {
  const nested = formWith([group('a', [group('b', [group('c', [group('d', [question('x')])])])])]);
  const withMinimum = (count: number) =>
    JSON.parse(
      JSON.stringify(nested).replaceAll(
        '"repeats":true',
        `"repeats":true,"extension":[${JSON.stringify(minOccurs(count))}]`,
      ),
    ) as Questionnaire;

  test('four nested groups that start with 200 repetitions each are refused, and the finding names the first one that is too large', () => {
    const started = performance.now();
    const errors = errorsIn(withMinimum(200));
    expect(errors).toMatchObject([{ code: 'too_many_repetitions', linkId: 'b', place: 'item[0].item[0].extension' }]);
    expect(findingMessage(errors[0] as never, 'en')).toContain('more than 1000 times');
    expect(performance.now() - started).toBeLessThan(1000);
    expect(errorsIn(withMinimum(5))).toEqual([]);
  });

  test('a group that starts with more questions than a form may have is refused, and the finding names it', () => {
    const many = Array.from({ length: 200 }, (_, i) => question(`q${i}`));
    const form = formWith([group('rows', many, { extension: [minOccurs(150)] })]);
    expect(errorsIn(form)).toMatchObject([{ code: 'too_many_positions', linkId: 'rows' }]);
  });

  test('a form has no more positions than the limit, however many repetitions the answers have', () => {
    const answers = {
      a: [200],
      ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`b#${i}`, [200]])),
      ...Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`c#0.${i}`, [200]])),
    };
    const started = performance.now();
    expect(visibleItems(nested, answers).length).toBeLessThanOrEqual(limits.positions);
    expect(visibleItems(nested, answers).length).toBeGreaterThan(limits.positions / 2);
    toResponse(nested, answers, { status: 'completed' });
    enabledAnswers(nested, answers);
    const problems = problemsOf(nested, answers);
    expect(problems[0]).toMatchObject({ code: 'too_many' });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('follow-ups of a question with many answers count as positions too', () => {
    const followUps = Array.from({ length: 2900 }, (_, i) => question(`f${i}`));
    const form = formWith([question('several', { repeats: true, item: followUps })]);
    const answers = { several: Array.from({ length: 200 }, (_, i) => `answer ${i}`) };
    expect(visibleItems(form, answers).length).toBeLessThanOrEqual(limits.positions);
    expect(problemsOf(form, answers)).toMatchObject([{ code: 'too_many', linkId: 'several', detail: 6 }]);
    expect(problemsOf(form, { several: ['one', 'two'] })).toEqual([]);
  });

  test('conditions of many repetitions on all repetitions of another group are evaluated in time', () => {
    const when = { question: 'said', operator: '=' as const, answerString: 'never said' };
    const form = formWith([
      group('a', [question('said')]),
      group(
        'b',
        Array.from({ length: 50 }, (_, i) => question(`q${i}`, { enableWhen: [when, when, when] })),
      ),
    ]);
    const answers = {
      a: [200],
      b: [200],
      ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`said#${i}`, ['something']])),
    };
    const started = performance.now();
    expect(visibleItems(form, answers)).toHaveLength(600);
    expect(performance.now() - started).toBeLessThan(3000);
    expect(visibleItems(form, { ...answers, 'said#199': ['never said'] }).length).toBeGreaterThan(10_000);
  });

  test('a family of ten with ten questions each is filled as before', () => {
    const form = formWith([
      group(
        'member',
        Array.from({ length: 10 }, (_, i) => question(`q${i}`)),
      ),
    ]);
    const answers = {
      member: [10],
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`q3#${i}`, [`x${i}`]])),
    };
    expect(visibleItems(form, answers)).toHaveLength(110);
    expect(problemsOf(form, answers)).toEqual([]);
  });
});

describe('lists of answers', () => {
  const concepts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ code: `c${i}`, display: `Answer number ${i}` }));
  const valueSet = (id: string, count: number) => ({
    resourceType: 'ValueSet',
    id,
    url: `http://example.org/${id}`,
    compose: { include: [{ system: 'urn:x', concept: concepts(count) }] },
  });
  const pick = (linkId: string, answerValueSet: string): Item => ({
    linkId,
    type: 'choice',
    text: linkId,
    answerValueSet,
  });

  test('2,900 questions share one value set of 4,900 answers: its list is built once', () => {
    const form = formWith(
      Array.from({ length: 2900 }, (_, i) => pick(`q${i}`, i % 2 ? '#set' : 'http://example.org/set|1')),
      { contained: [valueSet('set', 4900)] },
    );
    const started = performance.now();
    const { questionnaire, findings } = checkQuestionnaire(JSON.stringify(form));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const lists = new Set(formOf(questionnaire as Questionnaire).all.map(({ options }) => options));
    expect(lists.size).toBe(1);
    const answers = Object.fromEntries(
      Array.from({ length: 2900 }, (_, i) => [`q${i}`, [{ system: 'urn:x', code: `c${4899 - i}` }]]),
    );
    expect(problemsOf(questionnaire as Questionnaire, answers)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('lists with more than 50,000 answers together are refused, and the finding names the item that exceeds the limit', () => {
    const form = formWith(
      Array.from({ length: 12 }, (_, i) => pick(`q${i}`, `#set${i}`)),
      {
        contained: Array.from({ length: 12 }, (_, i) => valueSet(`set${i}`, 4900)),
      },
    );
    const errors = errorsIn(form);
    expect(errors).toMatchObject([{ code: 'too_many_options_in_all', linkId: 'q10', place: 'item[10]' }]);
    expect(findingMessage(errors[0] as never, 'es')).toContain('50000');
  });
});

describe('expressions', () => {
  const nestedTo = (depth: number) =>
    '(1|2|3|4|5|6|7|8|9|10).select('.repeat(depth) + '$this' + ')'.repeat(depth) + '.count()';

  test.each([
    ['calls that are nested too deeply', nestedTo(10), 'expression_too_large'],
    ['an expression that is too long', `1${' + 1'.repeat(1500)}`, 'expression_too_large'],
    ['a repeat that counts forever', '(0).repeat($this+1)', 'expression_endless'],
    ['a repeat that grows a text', "('a').repeat($this & 'b')", 'expression_endless'],
    ['parentheses without end', '('.repeat(100) + '1' + ')'.repeat(100), 'expression_too_large'],
  ])('%s: refused, and the expression is named', async (_, expression, code) => {
    const form = formWith([question('n'), question('sum', { extension: [calculated(expression)] })]);
    const errors = errorsIn(form);
    expect(errors).toMatchObject([{ code, linkId: 'sum', place: 'item[1].extension' }]);
    expect(findingMessage(errors[0] as never, 'en')).toContain(expression.slice(0, 100));
    // A form that was stored before the limits came does not run it either.
    const started = performance.now();
    expect(settleCalculations(form, {}, await loadExpressions()).failed).toEqual(['sum']);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test.each([
    "%resource.repeat(item).where(linkId='a-1').answer.value",
    "%resource.repeat(item | answer.item).where(linkId.startsWith('/s/')).answer.value.ordinal().sum()",
    "%resource.item.where(linkId in ('a+b' | 'c')).answer.valueCoding.extension.where(url='x').valueDecimal.sum()",
    'iif(%a.where(b.where(c.exists(d = 1)).exists()).exists(), 1, iif(%b > 2, 2, iif(%b > 3, 3, iif(%b > 4, 4, 5))))',
    "%resource.repeat(item).where(text = 'a)+(').count() // where(select(",
  ])('%s is evaluated', (expression) => expect(expressionFlaw(expression)).toBeUndefined());
});

test.each(['((((){9999}){9999}){9999}){9999}', '(((a){999}){999}){999}'])(
  'the pattern %s, which would take hours to build, is refused, and the item is named',
  (valueString) => {
    const started = performance.now();
    const form = formWith([question('zip', { extension: [{ url: `${fhir}regex`, valueString }] })]);
    expect(errorsIn(form)).toMatchObject([{ code: 'pattern_too_large', linkId: 'zip', place: 'item[0].extension' }]);
    expect(performance.now() - started).toBeLessThan(1000);
  },
);
