import type { OpeningHours } from '#contract/practice/office.ts';

/** The draft of a weekday's hours. A closed day keeps its hours in case it opens again. */
export interface DayDraft {
  open: boolean;
  /** HH:MM; closing at 00:00 is midnight. */
  from: string;
  to: string;
}

type Week = readonly (OpeningHours | null)[];

const usualHours = { from: '08:00', to: '17:00' };

/** The draft of a week, Monday first; the usual hours without one. */
export const toWeekDraft = (week: Week | null): DayDraft[] =>
  Array.from({ length: 7 }, (_, day) => {
    const hours = week?.[day];
    if (hours) return { open: true, from: hours.open, to: hours.close === '24:00' ? '00:00' : hours.close };
    return { open: week === null && day < 5, ...usualHours };
  });

export const toWeek = (days: readonly DayDraft[]): (OpeningHours | null)[] =>
  days.map(({ open, from, to }) => (open ? { open: from, close: closing(to) } : null));

/** The problems of a week, by field name (`days.0.to`). */
export function weekProblemsOf(days: readonly DayDraft[]): Partial<Record<string, 'time' | 'order'>> {
  const problems: Partial<Record<string, 'time' | 'order'>> = {};
  for (const [day, { open, from, to }] of days.entries()) {
    if (!open) continue;
    if (from === '') problems[`days.${day}.from`] = 'time';
    if (to === '') problems[`days.${day}.to`] = 'time';
    else if (closing(to) <= from) problems[`days.${day}.to`] = 'order';
  }
  return problems;
}

const closing = (time: string) => (time === '00:00' ? '24:00' : time);
