import { beforeAll, describe, expect, test } from 'vitest';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import { urls } from '#questionnaire/extensions.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { Coding, Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { enabledAnswers } from './enabled-answers.ts';
import {
  ask,
  choice,
  codes,
  coding,
  expression,
  group,
  questionnaire,
  scale,
  whenCode,
  whole,
} from '#questionnaire/test-builders.ts';
import { createCalculator } from './calculator.ts';
import type { Expressions } from './expression-library.ts';
import { needsExpressions, settleCalculations } from './expressions.ts';
import { loadExpressions } from './fhirpath.ts';
import { checkResponse, fromResponse, toResponse } from './response.ts';

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

const form = (...items: Item[]) => questionnaire('o', 'O', items);
const settle = (asked: Questionnaire, answers: Answers) => settleCalculations(asked, answers, expressions);
const offered = (asked: Questionnaire, answers: Answers, key = 'which') =>
  settle(asked, answers)
    .setting.offered?.get(key)
    ?.options.map(({ value }) => (typeof value === 'object' ? ((value as Coding).display ?? '') : value));
const problems = (asked: Questionnaire, given: Answers) => {
  const { answers, setting } = settle(asked, given);
  return problemsOf(asked, answers, setting).map(({ code, path }) => [code, path]);
};
const animals = codes('Cat', 'Dog', 'Horse');

describe('answers that an expression calculates', () => {
  const pets = `%resource.item.where(linkId='pets').answer.value`;
  const asked = form(
    choice('pets', 'Which pets?', animals, { repeats: true }),
    ask('which', 'Which one is ill?', 'choice', { extension: [expression('answerExpression', pets)] }),
  );

  test('are those of another question, as they are chosen', () => {
    expect(needsExpressions(asked)).toBe(true);
    expect(offered(asked, { pets: [coding('Cat'), coding('Horse')] })).toEqual(['Cat', 'Horse']);
    expect(offered(asked, {})).toBeUndefined();
  });

  test('are the only ones that the server takes', () => {
    const pet = { pets: [coding('Cat')] };
    expect(problems(asked, { ...pet, which: [coding('Cat')] })).toEqual([]);
    expect(problems(asked, { ...pet, which: [coding('Dog')] })).toEqual([['not_an_option', 'which']]);
    const { answers, setting } = settle(asked, { ...pet, which: [coding('Cat')] });
    const response = toResponse(asked, answers, { status: 'completed' }, setting);
    expect(checkResponse(asked, response, setting)).toEqual([]);
    expect(fromResponse(asked, response).answers['which']).toEqual([coding('Cat')]);
  });

  test('are texts, numbers and codes', () => {
    const by = (type: string, text: string) =>
      form(ask('x', 'X', 'string'), ask('which', '?', type, { extension: [expression('answerExpression', text)] }));
    expect(offered(by('choice', `'a' | 'b'`), {})).toEqual(['a', 'b']);
    expect(offered(by('open-choice', `'a' | 'b'`), {})).toEqual(['a', 'b']);
    expect(offered(by('integer', '1 | 2'), {})).toEqual([1, 2]);
    expect(problems(by('choice', `'a' | 'b'`), { which: [{ display: 'c' }] })).toEqual([['not_an_option', 'which']]);
    expect(problems(by('open-choice', `'a' | 'b'`), { which: ['c'] })).toEqual([]);
  });

  test('are those of the same repetition', () => {
    const own = expression('answerExpression', `item.where(linkId='pets').answer.value`);
    const repeated = form(
      group(
        'g',
        'Child',
        [choice('pets', 'Pets', animals, { repeats: true }), ask('which', '?', 'choice', { extension: [own] })],
        {
          repeats: true,
        },
      ),
    );
    const answers = { g: [2], 'pets#0': [coding('Cat')], 'pets#1': [coding('Dog')] };
    expect(offered(repeated, answers, 'which#0')).toEqual(['Cat']);
    expect(offered(repeated, answers, 'which#1')).toEqual(['Dog']);
  });

  test('stay the same item as long as they are the same, so that a screen can skip it', () => {
    const { settle: next } = createCalculator(asked, expressions, {}, () => undefined);
    const first = next({ pets: [coding('Cat')] }).setting.offered?.get('which');
    expect(next({ pets: [coding('Cat')], which: [coding('Cat')] }).setting.offered?.get('which')).toBe(first);
  });

  test('in another language than FHIRPath are a warning, and patients type their answer', () => {
    const query: Extension = {
      url: urls.answersBy,
      valueExpression: { language: 'application/x-fhir-query', expression: 'Medication' },
    };
    const { findings, isUsable } = checkQuestionnaire(
      JSON.stringify(form(ask('which', '?', 'choice', { extension: [query] }))),
    );
    expect(findings.filter(({ code }) => code !== 'not_translated')).toMatchObject([
      { code: 'expression_language', severity: 'warning', linkId: 'which' },
    ]);
    expect(isUsable).toBe(true);
  });
});

test('candidates are offered, and another answer may be typed', () => {
  const asked = form(
    ask('town', 'Town', 'string'),
    ask('which', 'Where?', 'string', {
      extension: [expression('candidateExpression', `%resource.item.where(linkId='town').answer.value`)],
    }),
  );
  expect(offered(asked, { town: ['Albany'] })).toEqual(['Albany']);
  expect(problems(asked, { town: ['Albany'], which: ['Elsewhere'] })).toEqual([]);
  expect(settle(asked, { town: ['Albany'] }).setting.offered?.get('which')?.takesOther).toBe(true);
});

describe('options that are switched by expressions', () => {
  const toggle = (rule: string, ...options: string[]): Extension => ({
    url: urls.optionsToggle,
    extension: [
      ...options.map((display) => ({ url: 'option', valueCoding: coding(display) })),
      { url: 'expression', valueExpression: { language: 'text/fhirpath', expression: rule } },
    ],
  });
  const isOn = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value = true`;
  const asked = form(
    ask('a', 'A?', 'boolean'),
    ask('b', 'B?', 'boolean'),
    choice('which', 'Which?', animals, {
      extension: [toggle(isOn('a'), 'Dog', 'Horse'), toggle(isOn('b'), 'Horse')],
    }),
  );

  test('are offered while one expression that names them is true', () => {
    expect(offered(asked, {})).toEqual(['Cat']);
    expect(offered(asked, { b: [true] })).toEqual(['Cat', 'Horse']);
    expect(offered(asked, { a: [true] })).toBeUndefined();
  });

  test('are refused once they are switched off', () => {
    expect(problems(asked, { a: [true], which: [coding('Dog')] })).toEqual([]);
    expect(problems(asked, { a: [false], which: [coding('Dog')] })).toEqual([['not_an_option', 'which']]);
  });

  test('are not demanded while all of them are switched off', () => {
    const must = form(
      ask('a', 'A?', 'boolean'),
      group(
        'g',
        'Pets',
        [choice('which', 'Which?', animals, { required: true, extension: [toggle(isOn('a'), 'Cat', 'Dog', 'Horse')] })],
        { required: true },
      ),
    );
    expect(problems(must, { a: [true] })).toEqual([['required', 'which']]);
    expect(problems(must, { a: [false] })).toEqual([]);
    const chosenBefore = settle(must, { a: [false], which: [coding('Dog')] });
    expect(problemsOf(must, chosenBefore.answers, chosenBefore.setting)).toEqual([]);
    expect(enabledAnswers(must, chosenBefore.answers, chosenBefore.setting)).toEqual({ a: [false] });
  });

  test('are demanded only as many as are left', () => {
    const minOccurs = whole('questionnaire-minOccurs', 2);
    const two = form(
      ask('a', 'A?', 'boolean'),
      choice('which', 'Which?', animals, { repeats: true, extension: [minOccurs, toggle(isOn('a'), 'Dog', 'Horse')] }),
    );
    const cat = [coding('Cat')];
    expect(problems(two, { a: [true], which: cat })).toEqual([['too_few', 'which']]);
    expect(problems(two, { a: [false], which: cat })).toEqual([]);
  });

  test('stay offered if the expression fails', () => {
    const broken = form(choice('which', 'Which?', animals, { extension: [toggle('1.nothing()', 'Dog')] }));
    expect(offered(broken, {})).toBeUndefined();
  });
});

describe('an answer that is only named', () => {
  const total = expression('calculatedExpression', `%resource.item.where(linkId='mood').answer.value.ordinal().sum()`);
  const often = scale('Not at all', 'Several days', 'Nearly every day');
  const scored = form(
    ask('mood', 'Mood', 'open-choice', { answerOption: often }),
    ask('sum', 'Sum', 'decimal', { readOnly: true, extension: [total] }),
  );

  test.each([
    ['typed', 'nearly every day'],
    ['chosen by its display', { display: 'Nearly every day' }],
  ])('counts in a score and is filed as the option: %s', (_, answer) => {
    const { answers, setting } = settle(scored, { mood: [answer] });
    expect(answers['sum']).toEqual([2]);
    const option = expect.objectContaining({ code: 'LA6570-2', display: 'Nearly every day' }) as Coding;
    expect(enabledAnswers(scored, answers, setting)['mood']).toEqual([option]);
    expect(toResponse(scored, answers, { status: 'completed' }, setting).item?.[0]?.answer).toEqual([
      { valueCoding: option },
    ]);
  });

  test('stays what was typed if no option is called so', () => {
    const { answers, setting } = settle(scored, { mood: ['Now and then'] });
    expect([answers['sum'], enabledAnswers(scored, answers, setting)['mood']]).toEqual([undefined, ['Now and then']]);
  });

  test('in a condition or as an initial value is found by its text, with a warning', () => {
    const asked = form(
      choice('pet', 'Pet', animals, { initial: [{ valueCoding: { display: 'Dog' } }] }),
      ask('name', 'Its name', 'string', {
        enableWhen: [{ ...whenCode('pet', 'Dog'), answerCoding: { display: 'Dog' } }],
      }),
    );
    const { findings, questionnaire: read } = checkQuestionnaire(JSON.stringify(asked));
    const found = findings.filter(({ code }) => code === 'coding_by_display');
    expect(found).toMatchObject([
      { severity: 'warning', linkId: 'pet', detail: 'Dog' },
      { severity: 'warning', linkId: 'name', detail: 'Dog' },
    ]);
    const answers = { pet: [coding('Dog')], name: ['Rex'] };
    expect(read && enabledAnswers(read, answers)).toEqual(answers);
  });
});
