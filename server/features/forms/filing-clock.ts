import { dayOf } from '#server/kit/day.ts';

/** When a form was filed, or begun, by the office's clock. Its expressions take that moment for the present, whenever the form is read. */
export interface FilingClock {
  today: string;
  timeZone: string;
  now: string;
}

export const filingClock = (filedAt: Date, timeZone: string): FilingClock => ({
  today: dayOf(filedAt, timeZone),
  timeZone,
  now: filedAt.toISOString(),
});
