import type { Hint } from '#web/kit/live.ts';

/** Hints after which the forms lists are out of date. A check-in is one: today's list shows who came, with or without forms. */
export const changesFormsLists = ({ type }: Hint): boolean => ['forms', 'checkin', 'refetch', 'opened'].includes(type);
