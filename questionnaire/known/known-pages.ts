import { canBeAnswered } from '#questionnaire/form-item.ts';
import type { Page } from '#questionnaire/pages.ts';
import { filledValues, isSameValue, type Answers, type Value } from '#questionnaire/values.ts';

/** How many of the answers on a page are those of the visit before. */
export type FromEarlier = 'all' | 'some' | 'none';

/** How much of a page is what the patient answered at the visit before. */
export function fromEarlier({ items }: Page, answers: Answers, earlier: Answers): FromEarlier {
  const answeredItems = items.filter(({ item, key }) => item.isQuestion && filledValues(answers[key]).length > 0);
  const same = answeredItems.filter(({ key }) => isSame(answers[key], earlier[key]));
  if (same.length === 0) return 'none';
  return same.length === answeredItems.length ? 'all' : 'some';
}

/** Whether nothing on the page is left to ask: it was answered at the visit before, and every other question of it was answered since. */
export function isKnownPage(page: Page, answers: Answers, earlier: Answers): boolean {
  return (
    fromEarlier(page, answers, earlier) !== 'none' &&
    page.items.every(({ item, key }) => {
      if (!canBeAnswered(item) || filledValues(answers[key]).length > 0) return true;
      // Optional questions that were left blank last time are not asked again.
      return item.carriedOver && !item.required;
    })
  );
}

const isSame = (one: readonly Value[] = [], other: readonly Value[] = []): boolean =>
  one.length === other.length && one.every((value, i) => isSameValue(value, other[i]));
