import { formOf } from '#questionnaire/form.ts';
import { canBeChanged } from '#questionnaire/form-item.ts';
import { keyOf, keyWithoutPlace } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/**
 * The answers with what a person cannot change set to what the form began with (`start`), whatever was sent: read-only and hidden answers.
 * Repetitions that were added later begin with the item's initial values. Calculations are left out: they are made again.
 */
export function withFixedAnswers(questionnaire: Questionnaire, answers: Answers, start: Answers): Answers {
  const fixed = new Map(
    formOf(questionnaire)
      .all.filter((item) => item.isQuestion && !canBeChanged(item))
      .map((item) => [keyOf(item, []), item]),
  );
  if (fixed.size === 0) return answers;
  const own: Record<string, readonly Value[]> = {};
  for (const [key, values] of Object.entries(answers)) {
    const item = fixed.get(keyWithoutPlace(key));
    if (!item) own[key] = values;
    else if (item.within.length > 0 && item.initial.length > 0)
      own[key] = item.repeats ? item.initial : item.initial.slice(0, 1);
  }
  for (const [key, values] of Object.entries(start)) if (fixed.has(keyWithoutPlace(key))) own[key] = values;
  return own;
}
