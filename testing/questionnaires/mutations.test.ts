import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSeededRandom } from '#db/seed/seeded-random.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import { outcomeOf, scoreOf } from '#questionnaire/extras/outcome.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import { problemMessage } from '#questionnaire/checking/problem-messages.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { checkResponse, fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import type { Answers } from '#questionnaire/values.ts';
import { randomAnswers } from './random-answers.ts';
import { damageQuestionnaire } from './mutations.ts';
import * as panels from './panels.ts';
import * as scales from './scales.ts';

const setting = { today: '2026-05-04' };
const folder = new URL('../../db/seed/forms/', import.meta.url);
const shapes: unknown[] = [
  ...Object.values(scales),
  ...Object.values(panels),
  ...readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown),
];

/** A long test of one core could reach its time limit on a busy machine, so each range of seeds is one. */
const ranges = (seeds: number) =>
  Array.from({ length: seeds / 2_500 }, (_, i) => [i * 2_500, (i + 1) * 2_500] as const);

test.each(ranges(10_000))(
  'damaged questionnaires are checked, shown and answered without a crash: seeds %i to %i',
  (from, to) => {
    let usable = 0;
    for (let seed = from; seed < to; seed++) {
      const chance = createSeededRandom(seed);
      const input = damageQuestionnaire(shapes[seed % shapes.length], chance);
      try {
        const { questionnaire, isUsable, findings } = checkQuestionnaire(seed % 2 ? input : JSON.stringify(input));
        for (const finding of findings.slice(0, 3)) findingMessage(finding, 'es');
        if (!questionnaire) continue;
        if (isUsable) usable += 1;
        const answers = seed % 10 === 0 ? randomAnswers(questionnaire, seed, setting) : initialAnswers(questionnaire);
        pagesOf(questionnaire, answers, setting);
        enabledAnswers(questionnaire, answers, setting);
        for (const problem of problemsOf(questionnaire, answers, setting)) problemMessage(problem, 'en');
        outcomeOf(questionnaire, answers);
        scoreOf(questionnaire, answers);
        fromResponse(questionnaire, toResponse(questionnaire, answers, { status: 'completed' }, setting));
      } catch (error) {
        throw new Error(`seed ${seed}: ${JSON.stringify(input)?.slice(0, 2000)}`, { cause: error });
      }
    }
    expect(usable).toBeGreaterThan(125);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

test.each(ranges(5_000))(
  'damaged responses and answers are refused or accepted without a crash: seeds %i to %i',
  (from, to) => {
    const filled = shapes.map((shape, i) => {
      const { questionnaire } = checkQuestionnaire(shape);
      if (!questionnaire) throw new Error('the built-in questionnaire is not valid');
      const answers = randomAnswers(questionnaire, i, setting);
      return { questionnaire, answers, response: toResponse(questionnaire, answers, { status: 'completed' }, setting) };
    });
    for (let seed = from; seed < to; seed++) {
      const chance = createSeededRandom(seed);
      const { questionnaire, answers, response } = filled[seed % filled.length] as (typeof filled)[number];
      const damaged = damageQuestionnaire(response, chance) as QuestionnaireResponse;
      const wrong = damageQuestionnaire(answers, chance) as Answers;
      try {
        checkResponse(questionnaire, damaged, setting);
        enabledAnswers(questionnaire, wrong, setting);
        problemsOf(questionnaire, wrong, setting);
        toResponse(questionnaire, wrong, { status: 'completed' }, setting);
      } catch (error) {
        throw new Error(`seed ${seed}: ${JSON.stringify([damaged, wrong]).slice(0, 2000)}`, { cause: error });
      }
    }
  },
);
