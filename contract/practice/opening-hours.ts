/**
 * When an office is open: hours of each weekday with at most one break, and days on which it is closed.
 */
import * as z from 'zod/mini';

const Time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

/** Times of day in the office's time zone, HH:MM; 24:00 is midnight at the end of the day. */
export const OpeningHours = z
  .object({
    open: Time,
    close: z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)),
    /** Closed from `from` until `to`, such as for lunch. */
    break: z.optional(z.object({ from: Time, to: Time })),
  })
  .check(
    z.refine(({ open, close }) => open < close, 'it closes before it opens'),
    z.refine(
      ({ open, close, break: pause }) => !pause || (open < pause.from && pause.from < pause.to && pause.to < close),
      'the break is not within the hours',
    ),
  );
export type OpeningHours = z.output<typeof OpeningHours>;

export const mostClosedDays = 60;
export const longestDayName = 60;

/** A day of the office's calendar on which it is closed, and what the desk calls it. */
export const ClosedDay = z.object({
  day: z.iso.date(),
  name: z.string().check(z.maxLength(longestDayName)),
});
export type ClosedDay = z.output<typeof ClosedDay>;

export const ClosedDays = z.array(ClosedDay).check(
  z.maxLength(mostClosedDays),
  z.refine((days) => new Set(days.map(({ day }) => day)).size === days.length, 'a day is listed twice'),
);
