import type { OpeningHours } from '#contract/practice/opening-hours.ts';

/** The draft of a weekday's hours. A closed day keeps its hours in case it opens again. */
export interface DayDraft {
  open: boolean;
  /** HH:MM; closing at 00:00 is midnight. */
  from: string;
  to: string;
  /** Closed in between, such as for lunch. */
  pause: { from: string; to: string } | null;
}

export type WeekProblem = 'time' | 'order' | 'break';
type Week = readonly (OpeningHours | null)[];

const usualHours = { from: '08:00', to: '17:00', pause: null };
export const usualBreak = { from: '12:00', to: '13:00' };

/** The draft of a week, Monday first; the usual hours without one. */
export const toWeekDraft = (week: Week | null): DayDraft[] =>
  Array.from({ length: 7 }, (_, day) => {
    const hours = week?.[day];
    if (!hours) return { open: week === null && day < 5, ...usualHours };
    const { open, close, break: pause } = hours;
    return { open: true, from: open, to: close === '24:00' ? '00:00' : close, pause: pause ? { ...pause } : null };
  });

export const toWeek = (days: readonly DayDraft[]): (OpeningHours | null)[] =>
  days.map(({ open, from, to, pause }) =>
    open ? { open: from, close: closing(to), ...(pause && { break: { ...pause } }) } : null,
  );

/** The problems of a week, by field name (`days.0.to`, `days.0.pause.from`). */
export function weekProblemsOf(days: readonly DayDraft[]): Partial<Record<string, WeekProblem>> {
  const problems: Partial<Record<string, WeekProblem>> = {};
  for (const [day, { open, from, to, pause }] of days.entries()) {
    if (!open) continue;
    if (from === '') problems[`days.${day}.from`] = 'time';
    if (to === '') problems[`days.${day}.to`] = 'time';
    else if (closing(to) <= from) problems[`days.${day}.to`] = 'order';
    if (!pause) continue;
    if (pause.from === '') problems[`days.${day}.pause.from`] = 'time';
    else if (pause.from <= from) problems[`days.${day}.pause.from`] = 'break';
    if (pause.to === '') problems[`days.${day}.pause.to`] = 'time';
    else if (pause.to <= pause.from || pause.to >= closing(to)) problems[`days.${day}.pause.to`] = 'break';
  }
  return problems;
}

const closing = (time: string) => (time === '00:00' ? '24:00' : time);
