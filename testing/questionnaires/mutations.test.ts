import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check } from '#questionnaire/loading/check-questionnaire.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { sayFinding } from '#questionnaire/loading/finding-messages.ts';
import { outcomeOf, scoreOf } from '#questionnaire/extras/outcome.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import { sayProblem } from '#questionnaire/checking/problem-messages.ts';
import { checkAnswers } from '#questionnaire/checking/problems.ts';
import type { QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { checkResponse, fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import type { Answers } from '#questionnaire/values.ts';
import { chanceFrom, fill } from './random-answers.ts';
import { mutated } from './mutations.ts';
import * as panels from './panels.ts';
import * as scales from './scales.ts';

const setting = { today: '2026-05-04' };
const folder = new URL('../../db/seed/forms/', import.meta.url);
const shapes: unknown[] = [
  ...Object.values(scales),
  ...Object.values(panels),
  ...readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown),
];

test('10,000 questionnaires that were damaged: each is checked, shown and answered without a crash', () => {
  let crashed = 0;
  let usable = 0;
  for (let seed = 0; seed < 10_000; seed++) {
    const chance = chanceFrom(seed);
    const input = mutated(shapes[seed % shapes.length], chance);
    try {
      const { questionnaire, isUsable, findings } = check(seed % 2 ? input : JSON.stringify(input));
      for (const finding of findings.slice(0, 3)) sayFinding(finding, 'es');
      if (!questionnaire) continue;
      if (isUsable) usable += 1;
      const answers = seed % 10 === 0 ? fill(questionnaire, seed, setting) : initialAnswers(questionnaire);
      pagesOf(questionnaire, answers, setting);
      for (const problem of checkAnswers(questionnaire, answers, setting)) sayProblem(problem, 'en');
      outcomeOf(questionnaire, answers);
      scoreOf(questionnaire, answers);
      fromResponse(questionnaire, toResponse(questionnaire, answers, { status: 'completed' }, setting));
    } catch (error) {
      crashed += 1;
      if (crashed === 1) throw new Error(`seed ${seed}: ${JSON.stringify(input)?.slice(0, 2000)}`, { cause: error });
    }
  }
  expect(crashed).toBe(0);
  expect(usable).toBeGreaterThan(500);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('5,000 damaged responses and answers: refused or taken, never a crash', () => {
  const filled = shapes.map((shape, i) => {
    const { questionnaire } = check(shape);
    if (!questionnaire) throw new Error('a shape that is none');
    const answers = fill(questionnaire, i, setting);
    return { questionnaire, answers, response: toResponse(questionnaire, answers, { status: 'completed' }, setting) };
  });
  for (let seed = 0; seed < 5000; seed++) {
    const chance = chanceFrom(seed);
    const { questionnaire, answers, response } = filled[seed % filled.length] as (typeof filled)[number];
    const damaged = mutated(response, chance) as QuestionnaireResponse;
    const wrong = mutated(answers, chance) as Answers;
    expect(() => checkResponse(questionnaire, damaged, setting)).not.toThrow();
    expect(() => checkAnswers(questionnaire, wrong, setting)).not.toThrow();
    expect(() => toResponse(questionnaire, wrong, { status: 'completed' }, setting)).not.toThrow();
  }
});
