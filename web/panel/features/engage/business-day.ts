import type { QueueSettings } from '#contract/practice/office.ts';
import { daysFrom, weekdayOf } from '#web/panel/features/queue/index.ts';

const saturday = 5;

/** The next day (YYYY-MM-DD) on which the office is open; without opening hours, the next one from Monday to Friday. */
export function nextBusinessDay(today: string, openingHours: QueueSettings['openingHours']): string {
  const isOpen = (day: string) => {
    const weekday = weekdayOf(day);
    return openingHours ? openingHours[weekday] !== null : weekday < saturday;
  };
  const week = Array.from({ length: 7 }, (_, i) => daysFrom(today, i + 1));
  return week.find(isOpen) ?? daysFrom(today, 1);
}
