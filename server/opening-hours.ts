import type { QueueSettings } from '#contract/practice/office.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';

export interface OpenNow {
  isOpen: boolean;
  hoursToday: { open: string; close: string } | null;
  nextOpening: Date | null;
}

/** Whether the office is open at this instant in its time zone, and when it next opens (within a week). Without hours it is always open. */
export function openNow({ openingHours }: Pick<QueueSettings, 'openingHours'>, timeZone: string, now: Date): OpenNow {
  if (openingHours === null) return { isOpen: true, hoursToday: { open: '00:00', close: '24:00' }, nextOpening: null };
  const today = dayOf(now, timeZone);
  const hoursOn = (day: string) => openingHours[(new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7] ?? null;
  const hoursToday = hoursOn(today);
  const isOpen =
    hoursToday !== null &&
    now >= instantOf(today, hoursToday.open, timeZone) &&
    now < instantOf(today, hoursToday.close, timeZone);
  for (let ahead = 0; !isOpen && ahead <= 7; ahead++) {
    const day = new Date(Date.parse(`${today}T12:00:00Z`) + ahead * 86_400_000).toISOString().slice(0, 10);
    const hours = hoursOn(day);
    const opens = hours && instantOf(day, hours.open, timeZone);
    if (opens && opens > now) return { isOpen, hoursToday, nextOpening: opens };
  }
  return { isOpen, hoursToday, nextOpening: null };
}
