import type { QueueSettings } from '#contract/practice/office.ts';
import type { OpeningHours } from '#contract/practice/opening-hours.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';

export interface OpenNow {
  isOpen: boolean;
  /** Without the break. */
  hoursToday: { open: string; close: string } | null;
  nextOpening: Date | null;
}

/** Opening hours as saved; settings from before closed days existed have none. */
export type OfficeHours = Pick<QueueSettings, 'openingHours' | 'closedDays'>;

const allDay: OpeningHours = { open: '00:00', close: '24:00' };

/** Whether the office is open at this instant in its time zone, and when it next opens. Without hours it is open except on closed days. */
export function openNow(hours: OfficeHours, timeZone: string, now: Date): OpenNow {
  const today = dayOf(now, timeZone);
  const ofToday = hoursOn(hours, today);
  const hoursToday = ofToday && { open: ofToday.open, close: ofToday.close };
  const isOpen = periodsOf(ofToday, today, timeZone).some(({ from, to }) => now >= from && now < to);
  if (isOpen) return { isOpen, hoursToday, nextOpening: null };
  // A week beyond the last closed day reaches every weekday.
  const daysAhead = 7 + (hours.closedDays?.length ?? 0);
  for (let ahead = 0; ahead <= daysAhead; ahead++) {
    const day = new Date(Date.parse(`${today}T12:00:00Z`) + ahead * 86_400_000).toISOString().slice(0, 10);
    const next = periodsOf(hoursOn(hours, day), day, timeZone).find(({ from }) => from > now);
    if (next) return { isOpen, hoursToday, nextOpening: next.from };
  }
  return { isOpen, hoursToday, nextOpening: null };
}

/**
 * Why the timer calls nobody in right now: until the end of the break, or for the rest of a closed day (`until: null`). Null if it may.
 * After closing time it may: those who are still waiting will be seen.
 */
export function autoInvitePause(hours: OfficeHours, timeZone: string, now: Date): { until: Date | null } | null {
  const today = dayOf(now, timeZone);
  if (isClosedDay(hours, today)) return { until: null };
  const pause = hoursOn(hours, today)?.break;
  if (!pause) return null;
  const [from, to] = [instantOf(today, pause.from, timeZone), instantOf(today, pause.to, timeZone)];
  return now >= from && now < to ? { until: to } : null;
}

const isClosedDay = ({ closedDays = [] }: OfficeHours, day: string) => closedDays.some((closed) => closed.day === day);

function hoursOn(hours: OfficeHours, day: string): OpeningHours | null {
  if (isClosedDay(hours, day)) return null;
  if (hours.openingHours === null) return allDay;
  return hours.openingHours[(new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7] ?? null;
}

/** When the office is open on a day: before and after the break. */
function periodsOf(hours: OpeningHours | null, day: string, timeZone: string): { from: Date; to: Date }[] {
  if (!hours) return [];
  const { open, close, break: pause } = hours;
  const times = pause
    ? [
        [open, pause.from],
        [pause.to, close],
      ]
    : [[open, close]];
  return times.map(([from = '', to = '']) => ({
    from: instantOf(day, from, timeZone),
    to: instantOf(day, to, timeZone),
  }));
}
