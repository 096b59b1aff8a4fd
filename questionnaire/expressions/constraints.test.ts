import { beforeAll, describe, expect, test } from 'vitest';
import { problemMessage } from '#questionnaire/checking/problem-messages.ts';
import { problemsOf, warningsIn } from '#questionnaire/checking/problems.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { ask, base, expression, group, questionnaire, whenYes } from '#questionnaire/test-builders.ts';
import { createCalculator } from './calculator.ts';
import type { Expressions } from './expression-library.ts';
import { checkExpressions, needsExpressions, settleCalculations } from './expressions.ts';
import { loadExpressions } from './fhirpath.ts';
import { checkResponse, toResponse } from './response.ts';

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

const human = 'The end is before the start.';
const spanish = 'El final es anterior al comienzo.';
const translation = {
  extension: [
    {
      url: `${base}translation`,
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: spanish },
      ],
    },
  ],
};
function constraint(rule: string, more: { severity?: string; location?: string } = {}): Extension {
  return {
    url: `${base}questionnaire-constraint`,
    extension: [
      { url: 'key', valueId: 'k' },
      { url: 'severity', valueCode: more.severity ?? 'error' },
      { url: 'expression', valueString: rule },
      { url: 'human', valueString: human, ...({ _valueString: translation } as object) },
      ...(more.location === undefined ? [] : [{ url: 'location', valueString: more.location }]),
    ],
  };
}
const target = (rule: string, language = 'text/fhirpath'): Extension => ({
  url: `${base}targetConstraint`,
  extension: [
    { url: 'key', valueId: 'k' },
    { url: 'severity', valueCode: 'error' },
    { url: 'expression', valueExpression: { language, expression: rule } },
    { url: 'human', valueString: human },
  ],
});

const settle = (form: Questionnaire, answers: Answers) => settleCalculations(form, answers, expressions);
function problems(form: Questionnaire, given: Answers) {
  const { answers, setting } = settle(form, given);
  return problemsOf(form, answers, setting);
}
const value = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value`;
const form = (items: Item[], extension: Extension[] = []) => questionnaire('c', 'C', items, { extension });
const startAndEnd = (rule: Extension) =>
  form([ask('start', 'Start', 'date'), ask('end', 'End', 'date', { extension: [rule] })]);
const inOrder = `${value('start')} <= ${value('end')}`;

describe('a broken constraint', () => {
  test.each([
    ['questionnaire-constraint', constraint(inOrder)],
    ['targetConstraint', target(inOrder)],
    ['a rule on the item itself', constraint('answer.value >= @2026-01-02')],
  ])('blocks the form with its own words at its question: %s', (_, rule) => {
    const asked = startAndEnd(rule);
    expect(needsExpressions(asked)).toBe(true);
    const [problem, ...others] = problems(asked, { start: ['2026-01-02'], end: ['2026-01-01'] });
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'constraint', linkId: 'end', path: 'end' });
    expect(problem && problemMessage(problem, 'en')).toBe(human);
    expect(problems(asked, { start: ['2026-01-02'], end: ['2026-01-03'] })).toEqual([]);
  });

  test("is shown in the patient's language", () => {
    const [problem] = problems(startAndEnd(constraint(inOrder)), { start: ['2026-01-02'], end: ['2026-01-01'] });
    expect(problem && problemMessage(problem, 'es')).toBe(spanish);
  });

  test('only warns if that is its severity', () => {
    const asked = startAndEnd(constraint(inOrder, { severity: 'warning' }));
    const { answers, setting } = settle(asked, { start: ['2026-01-02'], end: ['2026-01-01'] });
    expect(problemsOf(asked, answers, setting)).toEqual([]);
    expect(warningsIn(setting)).toMatchObject([{ path: 'end', isWarning: true, message: { en: human } }]);
  });

  test('is found by the server in what it files, by the same rule', () => {
    const asked = startAndEnd(constraint(inOrder));
    const { answers, setting } = settle(asked, { start: ['2026-01-02'], end: ['2026-01-01'] });
    const response = toResponse(asked, answers, { status: 'completed' }, setting);
    expect(checkResponse(asked, response, setting)).toMatchObject([{ code: 'constraint', path: 'end' }]);
  });

  test('at a question is checked only if the question is asked and answered', () => {
    const rule = constraint('answer.value > 10');
    const asked = form([
      ask('on', 'On?', 'boolean'),
      ask('n', 'N', 'integer', { extension: [rule], enableWhen: [whenYes('on')] }),
    ]);
    expect(problems(asked, { on: [true] })).toEqual([]);
    expect(problems(asked, { on: [false], n: [1] })).toEqual([]);
    expect(problems(asked, { on: [true], n: [1] })).toMatchObject([{ path: 'n' }]);
  });

  test('at a group is checked in an empty group too', () => {
    const asked = form([
      ask('x', 'X', 'string'),
      group('g', 'One of these', [ask('a', 'A', 'string'), ask('b', 'B', 'string')], {
        extension: [constraint('item.answer.exists()')],
      }),
    ]);
    expect(problems(asked, { x: ['x'] })).toMatchObject([{ linkId: 'g', path: 'g' }]);
    expect(problems(asked, { b: ['b'] })).toEqual([]);
  });

  test('at a repeating group is checked in each repetition and shown at its first question', () => {
    const rule = constraint("item.where(linkId='from').answer.value < item.where(linkId='to').answer.value");
    const asked = form([
      group('g', 'Stay', [ask('from', 'From', 'integer'), ask('to', 'To', 'integer')], {
        repeats: true,
        extension: [rule],
      }),
    ]);
    const answers = { g: [2], 'from#0': [1], 'to#0': [2], 'from#1': [5], 'to#1': [4] };
    expect(problems(asked, answers)).toMatchObject([{ linkId: 'from', path: 'from#1' }]);
  });

  test('at the form is shown at its location, else at the end', () => {
    const items = [ask('a', 'A', 'integer'), ask('b', 'B', 'integer', { required: true })];
    const rule = `${value('a')} < 3`;
    const located = form(items, [constraint(rule, { location: "item.where(linkId='a')" })]);
    expect(problems(located, { a: [5] }).map(({ code, path }) => [code, path])).toEqual([
      ['constraint', 'a'],
      ['required', 'b'],
    ]);
    expect(problems(form(items, [constraint(rule)]), { a: [5] }).map(({ path }) => path)).toEqual(['b', '']);
  });

  test('that reads a later question does not stop the patient before the review', () => {
    const items = (rule: string) => [
      ask('a', 'A', 'integer', { extension: [constraint(rule)] }),
      ask('b', 'B', 'integer'),
    ];
    expect(problems(form(items(`${value('b')}.exists()`)), { a: [1] })).toMatchObject([{ isEarly: true }]);
    expect(problems(form(items('answer.value > 2')), { a: [1] })[0]).not.toHaveProperty('isEarly');
  });

  test('may use variables and what is calculated', () => {
    const total = expression('calculatedExpression', `${value('a')} + 1`);
    const asked = form([
      ask('a', 'A', 'integer'),
      ask('sum', 'Sum', 'integer', { readOnly: true, extension: [total, constraint('answer.value < 10')] }),
    ]);
    expect(problems(asked, { a: [9] })).toMatchObject([{ path: 'sum' }]);
    expect(problems(asked, { a: [8] })).toEqual([]);
  });

  test('is checked again only when something that it reads changes', () => {
    const seen: string[] = [];
    const counting: Expressions = {
      ...expressions,
      evaluate: (questionnaire, text, place) => {
        seen.push(text);
        return expressions.evaluate(questionnaire, text, place);
      },
    };
    const asked = form([
      ask('a', 'A', 'integer', { extension: [constraint('answer.value < 3')] }),
      ask('b', 'B', 'string'),
    ]);
    const { settle: next } = createCalculator(asked, counting, {}, () => undefined);
    next({ a: [5] });
    expect(next({ a: [5], b: ['x'] }).setting.broken).toHaveLength(1);
    expect(seen).toHaveLength(1);
    expect(next({ a: [2], b: ['x'] }).setting.broken).toBeUndefined();
    expect(next({ b: ['x'] }).setting.broken).toBeUndefined();
  });
});

describe('loading', () => {
  const load = (rule: Extension) => {
    const checked = checkQuestionnaire(JSON.stringify(startAndEnd(rule)));
    const { questionnaire: read, findings, isUsable } = checked;
    const failed = read && needsExpressions(read) ? checkExpressions(read, expressions) : [];
    return { isUsable, found: [...findings, ...failed].filter(({ code }) => code !== 'not_translated') };
  };

  test('keeps a constraint that works', () => {
    expect(load(constraint(inOrder))).toEqual({ isUsable: true, found: [] });
  });

  test.each([
    ['that is no FHIRPath', constraint('answer.where(')],
    ['that fails', constraint('answer.nothing()')],
    ['that may run for hours', constraint(`(0).repeat($this + 1).exists()`)],
    ['in another language', target('true', 'text/cql')],
  ])('warns of a constraint %s, and the form stays usable', (_, rule) => {
    const { isUsable, found } = load(rule);
    expect(found).toMatchObject([{ code: 'constraint_not_checked', severity: 'warning', linkId: 'end' }]);
    expect(isUsable).toBe(true);
  });
});
