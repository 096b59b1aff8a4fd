import type { QueueSettings } from '#contract/practice/office.ts';
import { daysFrom, weekdayOf } from '#web/kit/office-clock.ts';

const saturday = 5;

/** The next day (YYYY-MM-DD) on which the office is open; without opening hours, the next one from Monday to Friday. */
export function nextBusinessDay(
  today: string,
  { openingHours, closedDays = [] }: Pick<QueueSettings, 'openingHours' | 'closedDays'>,
): string {
  const closed = new Set(closedDays.map(({ day }) => day));
  const isOpen = (day: string) => {
    const weekday = weekdayOf(day);
    return !closed.has(day) && (openingHours ? openingHours[weekday] !== null : weekday < saturday);
  };
  const days = Array.from({ length: 7 + closed.size }, (_, i) => daysFrom(today, i + 1));
  return days.find(isOpen) ?? daysFrom(today, 1);
}
