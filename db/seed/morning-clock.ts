import { dayOf, instantOf } from '#server/kit/day.ts';

/** Returns a function from minutes ago to a time of today. Shortly after midnight the whole morning is compressed between midnight and now. */
export function morningClock(now: Date, timeZone: string, longestMinutes: number): (minutesAgo: number) => Date {
  const midnight = instantOf(dayOf(now, timeZone), '00:00', timeZone);
  const pace = Math.min(1, (now.getTime() - midnight.getTime()) / ((longestMinutes + 1) * 60_000));
  return (minutesAgo) => new Date(now.getTime() - minutesAgo * 60_000 * pace);
}
