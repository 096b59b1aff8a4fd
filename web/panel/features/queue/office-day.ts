const dayClocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** The day of an instant (ms since 1970) in a time zone, as YYYY-MM-DD. */
export function dayOf(at: number, timeZone: string | undefined): string {
  let clock = dayClocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    dayClocks.set(timeZone, clock);
  }
  return clock.format(at);
}

/** The time of day of an instant in a time zone, as HH:MM of 24 hours. */
export function wallTimeOf(at: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
}

/** Adds days to a day (YYYY-MM-DD); a negative number subtracts. */
export function daysFrom(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Day of the week: 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Formats a day as the API's `datetime` parameter: MMDDYYYY. */
export function asDatetime(day: string): string {
  return day.slice(5, 7) + day.slice(8, 10) + day.slice(0, 4);
}
