import { Temporal } from 'temporal-polyfill';
import { isDay } from '#contract/day.ts';

/** The office-local day of an instant, as YYYY-MM-DD. */
export function dayOf(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The office-local wall-clock time of an instant, as HH:MM. */
export function timeOf(at: Date, timeZone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainTime();
  return time.toString({ smallestUnit: 'minute' });
}

/** The instant of a wall-clock time (HH:MM; 24:00 is the next midnight) on an office-local day. */
export function instantOf(day: string, time: string, timeZone: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const date = Temporal.PlainDate.from(day).add({ days: hour === 24 ? 1 : 0 });
  const zoned = date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour: hour % 24, minute }) });
  return new Date(zoned.epochMilliseconds);
}

/** MMDDYYYY or YYYYMMDD → YYYY-MM-DD; null if there is no such day. */
export function parseDay(text: string, form: 'MMDDYYYY' | 'YYYYMMDD'): string | null {
  const iso =
    form === 'MMDDYYYY'
      ? `${text.slice(4)}-${text.slice(0, 2)}-${text.slice(2, 4)}`
      : `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return isDay(iso) ? iso : null;
}
