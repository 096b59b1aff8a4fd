import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import { formOf } from '#questionnaire/form.ts';
import { canBeAnswered, type FormItem } from '#questionnaire/form-item.ts';
import { keyOf, keyWithoutPlace } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/**
 * The answers of a visit before that may be filled in again: to the items marked `questionnaire-carried-over`, as far as the form still
 * takes them. Never a picture or a signature, and never what is known from the check-in, which is newer.
 */
export function earlierAnswers(questionnaire: Questionnaire, filed: Answers): Answers {
  const items = new Map(formOf(questionnaire).all.map((item) => [keyOf(item, []), item]));
  const reusable: Record<string, readonly Value[]> = {};
  for (const [key, values] of Object.entries(filed)) {
    const item = items.get(keyWithoutPlace(key));
    if (!item || !mayBeFilledIn(item)) continue;
    // A repeating group holds how often it is there.
    const valid = item.isQuestion ? values.filter((value) => kindProblem(item, value) === undefined) : values;
    if (valid.length > 0) reusable[key] = valid;
  }
  return reusable;
}

function mayBeFilledIn(item: FormItem): boolean {
  if (!item.carriedOver || item.hidden) return false;
  if (item.type === 'group') return item.repeats;
  return canBeAnswered(item) && item.type !== 'attachment' && !item.signature && item.known === undefined;
}
