import { beforeAll, describe, expect, test } from 'vitest';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import { checkExpressions, needsExpressions, settleCalculations } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import { visibleItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { scoreOf } from '#questionnaire/extras/outcome.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { checkResponse, fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import { randomQuestionnaire } from './random-questionnaire.ts';
import { randomAnswers } from './random-answers.ts';
import { builtIn, questionnairesFromFolder, questionnaireShapes } from './known-questionnaires.ts';
import * as panels from './panels.ts';
import * as scales from './scales.ts';

const today = { today: '2026-05-04' };

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

/** Loads, checks, fills and validates a questionnaire, makes a response and reads it back, `seeds` times with different answers. */
function holds(input: unknown, seeds: number): void {
  const { questionnaire } = checkQuestionnaire(JSON.stringify(input));
  expect(questionnaire).not.toBeNull();
  for (let seed = 1; seed <= seeds; seed++) roundTrip(questionnaire as Questionnaire, seed);
}

function roundTrip(questionnaire: Questionnaire, seed: number): void {
  const calculates = needsExpressions(questionnaire) ? expressions : undefined;
  const answers = randomAnswers(questionnaire, seed, today, calculates);
  const setting = calculates ? settleCalculations(questionnaire, answers, calculates, today).setting : today;
  expect({ seed, problems: problemsOf(questionnaire, answers, setting) }).toEqual({ seed, problems: [] });
  const about = { status: 'completed', authored: '2026-05-04T10:00:00Z', language: 'es' } as const;
  const response = toResponse(questionnaire, answers, about, setting);
  expect(checkResponse(questionnaire, response, setting)).toEqual([]);
  const back = fromResponse(questionnaire, JSON.parse(JSON.stringify(response)) as typeof response);
  expect(back.problems).toEqual([]);
  expect(toResponse(questionnaire, back.answers, about, setting)).toEqual(response);
  // A response omits empty repetitions; without any, the answers come back unchanged.
  const groups = visibleItems(questionnaire, answers, setting).filter(({ repetition }) => repetition !== undefined);
  const isWhole = groups.every(({ key }) => (answers[key]?.[0] ?? 1) === (back.answers[key]?.[0] ?? 1));
  const counts = Object.fromEntries(groups.map(({ key }) => [key, answers[key] ?? [1]]));
  expect({ ...counts, ...enabledAnswers(questionnaire, answers, setting) }).toEqual({ ...counts, ...answers });
  if (isWhole)
    expect({ ...counts, ...enabledAnswers(questionnaire, back.answers, setting) }).toEqual({ ...counts, ...answers });
  const onPages = pagesOf(questionnaire, answers, setting).flatMap(({ items }) => items.filter(isRead));
  const seen = visibleItems(questionnaire, answers, setting).filter(isRead);
  expect(new Set(onPages)).toEqual(new Set(seen));
  expect(onPages.length).toBe(seen.length);
}

const isRead = ({ item }: VisibleItem) => item.type !== 'group';

describe('shapes of published questionnaires', () => {
  test('at least twenty shapes of published questionnaires are tested', () =>
    expect(questionnaireShapes.length).toBeGreaterThanOrEqual(20));
  test.each(questionnaireShapes)('the published shape %s can be filled, validated and read back', (_, shape) => {
    const { findings } = checkQuestionnaire(shape);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    holds(shape, 25);
  });
});

describe('built-in questionnaires', () => {
  test.each(builtIn)('the built-in questionnaire %s can be filled, validated and read back', (_, input) =>
    holds(input, 25),
  );
});

test('500 random questionnaires are filled, validated and read back unchanged', () => {
  for (let seed = 1; seed <= 500; seed++) roundTrip(randomQuestionnaire(seed), seed);
});

test('nine answers give their total, and height and weight the calculated values', () => {
  const filled = randomAnswers(scales.mood9, 1, today, expressions);
  const counted = scoreOf(scales.mood9, filled);
  expect(counted).not.toBeNull();
  expect(filled['/total']).toEqual([counted]);
  const body = randomAnswers(panels.expressions, 1, today, expressions);
  expect(body['bmi']?.[0]).toBeTypeOf('number');
});

test('a blank form is never complete', () => {
  for (const [name, shape] of questionnaireShapes) expect(problemsOf(shape, {}).length, name).toBeGreaterThan(0);
});

describe.skipIf(!questionnairesFromFolder)('questionnaires of the folder QUESTIONNAIRES_DIR', () => {
  test.each(questionnairesFromFolder ?? [])(
    'the questionnaire %s of the folder can be filled, validated and read back',
    (_, input) => {
      const { questionnaire, isUsable, findings } = checkQuestionnaire(JSON.stringify(input));
      const all = [...findings, ...(questionnaire ? checkExpressions(questionnaire, expressions) : [])];
      if (isUsable && !all.some(({ severity }) => severity === 'error')) holds(input, 3);
      else expect(all.map((finding) => findingMessage(finding, 'en')).join('')).not.toBe('');
    },
  );
});
