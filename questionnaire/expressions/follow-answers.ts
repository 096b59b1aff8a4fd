import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Indices } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { enabledAnswers } from './enabled-answers.ts';
import { readsAny, touchedBy } from './dependencies.ts';
import { evaluatorOf, type OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';
import { expressionResponse } from './response.ts';
import type { Reads } from './read-expression.ts';

/** An expression at one place of the form, whose result changes no answer. */
export interface FollowedExpression {
  id: string;
  item: FormItem | undefined;
  expression: string;
  indices: Indices;
  reads: Reads;
  context: 'around' | 'item';
}

/** The result of each expression by its id; undefined if it failed. */
type FollowedResults = ReadonlyMap<string, readonly unknown[] | undefined>;

/** Evaluates expressions on settled answers. It remembers the last answers, so a change evaluates only what depends on it. */
export function followAnswers(questionnaire: Questionnaire, expressions: Expressions, onFailure: OnFailure) {
  let seen: Answers = {};
  const results = new Map<string, readonly unknown[] | undefined>();

  return (answers: Answers, setting: EvaluationContext, followed: readonly FollowedExpression[]): FollowedResults => {
    const enabled = enabledAnswers(questionnaire, answers, setting);
    const touched = touchedBy(questionnaire, seen, enabled);
    seen = enabled;
    let hasFailed = false;
    const noteFailure: OnFailure = (...failure) => {
      hasFailed = true;
      onFailure(...failure);
    };
    let look: ReturnType<typeof evaluatorOf> | undefined;
    for (const { id, item, expression, indices, reads, context } of followed) {
      if (results.has(id) && !readsAny(reads, touched)) continue;
      look ??= evaluatorOf(
        questionnaire,
        expressionResponse(questionnaire, answers, setting),
        expressions,
        setting,
        noteFailure,
      );
      hasFailed = false;
      const found = look(item, expression, indices, context);
      results.set(id, hasFailed ? undefined : found);
    }
    const here = new Set(followed.map(({ id }) => id));
    for (const id of results.keys()) if (!here.has(id)) results.delete(id);
    return results;
  };
}
