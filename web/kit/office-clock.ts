type Moment = Date | string | number;

const dayClocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** The day of an instant in a time zone, as YYYY-MM-DD. */
export function dayOf(at: Moment, timeZone: string | undefined): string {
  let clock = dayClocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    dayClocks.set(timeZone, clock);
  }
  return clock.format(new Date(at));
}

/** The time of day of an instant in a time zone, as HH:MM of 24 hours. */
export function timeOfDay(at: Moment, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));
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

const dayMs = 86_400_000;
const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** The wall-clock time of an instant in a time zone, as a date and time field has it: 2026-03-02T09:30. */
export function wallTimeAt(at: Moment, timeZone: string | undefined): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    clocks.set(timeZone, clock);
  }
  const parts = Object.fromEntries(clock.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

const quarterMs = 900_000;
const offsets = new Map<string | undefined, Map<number, number>>();

/** How far a zone's clock is ahead of UTC. Clocks change at quarters of an hour, so each quarter is looked up once: a list has 50,000 times. */
function offsetsOf(timeZone: string | undefined): (at: number) => number {
  const known = offsets.get(timeZone) ?? new Map<number, number>();
  offsets.set(timeZone, known);
  return (at) => {
    const quarter = Math.floor(at / quarterMs);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    const from = quarter * quarterMs;
    const offset = Date.parse(`${wallTimeAt(from, timeZone)}:00Z`) - from;
    known.set(quarter, offset);
    return offset;
  };
}

/**
 * The instant of a wall-clock time, ms since 1970; null if it is none. In the night when the clocks go back, a time that happens twice is
 * the first one; when they go forward, a time that does not happen is an hour later.
 */
export function instantOfWallTime(wallTime: string, timeZone: string | undefined): number | null {
  const asUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wallTime) ? Date.parse(`${wallTime}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const offset = offsetsOf(timeZone);
  const [before, after] = [asUtc - offset(asUtc - dayMs), asUtc - offset(asUtc + dayMs)];
  const times = [before, after].filter((at) => at + offset(at) === asUtc);
  return times.length > 0 ? Math.min(...times) : before;
}
