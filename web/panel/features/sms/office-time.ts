const dayMs = 86_400_000;
const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** The wall-clock time of an instant (ms since 1970) in a time zone, as a date and time field has it: 2026-03-02T09:30. */
export function wallTimeAt(at: number, timeZone: string | undefined): string {
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
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/**
 * The instant of a wall-clock time, ms since 1970; null if it is none. In the night when the clocks go back, a time that happens twice is
 * the first one; when they go forward, a time that does not happen is an hour later.
 */
export function instantOfWallTime(wallTime: string, timeZone: string | undefined): number | null {
  const asUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wallTime) ? Date.parse(`${wallTime}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (at: number) => Date.parse(`${wallTimeAt(at, timeZone)}:00Z`) - at;
  const [before, after] = [asUtc - offsetAt(asUtc - dayMs), asUtc - offsetAt(asUtc + dayMs)];
  const times = [before, after].filter((at) => wallTimeAt(at, timeZone) === wallTime);
  return times.length > 0 ? Math.min(...times) : before;
}
