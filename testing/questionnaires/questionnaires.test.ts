import { beforeAll, describe, expect, test } from 'vitest';
import { check } from '#questionnaire/loading/check-questionnaire.ts';
import {
  checkExpressions,
  needsExpressions,
  settle,
  type Expressions,
} from '#questionnaire/expressions/expressions.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { sayFinding } from '#questionnaire/loading/finding-messages.ts';
import { askedAnswers, visibleItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { scoreOf } from '#questionnaire/extras/outcome.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import { checkAnswers, problemsOf } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { checkResponse, fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import { byChance } from './random-questionnaire.ts';
import { fill } from './random-answers.ts';
import { builtIn, ofTheFolder, shapes } from './known-questionnaires.ts';
import * as panels from './panels.ts';
import * as scales from './scales.ts';

const today = { today: '2026-05-04' };

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

/** Loads, checks, is filled, validates, makes a response and reads it back: `seeds` times, each time filled otherwise. */
function holds(input: unknown, seeds: number): void {
  const { questionnaire } = check(JSON.stringify(input));
  expect(questionnaire).not.toBeNull();
  for (let seed = 1; seed <= seeds; seed++) roundTrip(questionnaire as Questionnaire, seed);
}

function roundTrip(questionnaire: Questionnaire, seed: number): void {
  const calculates = needsExpressions(questionnaire) ? expressions : undefined;
  const answers = fill(questionnaire, seed, today, calculates);
  const setting = calculates ? settle(questionnaire, answers, calculates, today).setting : today;
  expect({ seed, problems: checkAnswers(questionnaire, answers, setting) }).toEqual({ seed, problems: [] });
  const about = { status: 'completed', authored: '2026-05-04T10:00:00Z', language: 'es' } as const;
  const response = toResponse(questionnaire, answers, about, setting);
  expect(checkResponse(questionnaire, response, setting)).toEqual([]);
  const back = fromResponse(questionnaire, JSON.parse(JSON.stringify(response)) as typeof response);
  expect(back.problems).toEqual([]);
  expect(toResponse(questionnaire, back.answers, about, setting)).toEqual(response);
  // A response has no repetitions in which nothing was said; where there were none, the answers are what they were.
  const groups = visibleItems(questionnaire, answers, setting).filter(({ repetition }) => repetition !== undefined);
  const isWhole = groups.every(({ key }) => (answers[key]?.[0] ?? 1) === (back.answers[key]?.[0] ?? 1));
  const counts = Object.fromEntries(groups.map(({ key }) => [key, answers[key] ?? [1]]));
  if (isWhole)
    expect({ ...counts, ...askedAnswers(questionnaire, back.answers, setting) }).toEqual({ ...counts, ...answers });
  const onPages = pagesOf(questionnaire, answers, setting).flatMap(({ items }) => items.filter(isRead));
  const seen = visibleItems(questionnaire, answers, setting).filter(isRead);
  expect(new Set(onPages)).toEqual(new Set(seen));
  expect(onPages.length).toBe(seen.length);
}

const isRead = ({ item }: VisibleItem) => item.type !== 'group';

describe('shapes of published questionnaires', () => {
  test('there are twenty and more', () => expect(shapes.length).toBeGreaterThanOrEqual(20));
  test.each(shapes)('%s', (_, shape) => {
    const { findings } = check(shape);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    holds(shape, 25);
  });
});

describe('built-in questionnaires', () => {
  test.each(builtIn)('%s', (_, input) => holds(input, 25));
});

test('500 questionnaires made by chance: each is filled, validated, and read back as it was', () => {
  for (let seed = 1; seed <= 500; seed++) roundTrip(byChance(seed), seed);
});

test('nine answers come to their total, and height and weight to what follows from them', () => {
  const filled = fill(scales.mood9, 1, today, expressions);
  const counted = scoreOf(scales.mood9, filled);
  expect(counted).not.toBeNull();
  expect(filled['/total']).toEqual([counted]);
  const body = fill(panels.expressions, 1, today, expressions);
  expect(body['bmi']?.[0]).toBeTypeOf('number');
});

test('a blank form is not complete, whatever it asks', () => {
  for (const [name, shape] of shapes) expect(problemsOf(shape, {}).length, name).toBeGreaterThan(0);
});

describe.skipIf(!ofTheFolder)('questionnaires of the folder QUESTIONNAIRES_DIR', () => {
  test.each(ofTheFolder ?? [])('%s', (_, input) => {
    const { questionnaire, isUsable, findings } = check(JSON.stringify(input));
    const all = [...findings, ...(questionnaire ? checkExpressions(questionnaire, expressions) : [])];
    if (isUsable && !all.some(({ severity }) => severity === 'error')) holds(input, 3);
    else expect(all.map((finding) => sayFinding(finding, 'en')).join('')).not.toBe('');
  });
});
