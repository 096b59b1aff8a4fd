import type { Answers } from './values.ts';

/**
 * The key in `Answers` under which the keys of overwritten calculations are listed. A person may overwrite a calculation that is not
 * read-only; their answer then stays, whatever the calculation gives.
 */
export const overwrittenKey = '$overwritten';

/** Whether a person overwrote the calculation of that answer. */
export function isOverwritten(answers: Answers, key: string): boolean {
  return answers[overwrittenKey]?.includes(key) ?? false;
}

/** The answers with that calculation marked as overwritten, or with the mark removed. */
export function withOverwritten(answers: Answers, key: string, isByHand: boolean): Answers {
  if (isOverwritten(answers, key) === isByHand) return answers;
  const { [overwrittenKey]: marks = [], ...others } = answers;
  const left = isByHand ? [...marks, key] : marks.filter((one) => one !== key);
  return left.length > 0 ? { ...others, [overwrittenKey]: left } : others;
}
