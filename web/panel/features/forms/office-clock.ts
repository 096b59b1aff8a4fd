const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? '';
  let clock = clocks.get(key);
  if (!clock) {
    const two = '2-digit';
    clock = new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      hourCycle: 'h23',
      ...(timeZone && { timeZone }),
    });
    clocks.set(key, clock);
  }
  return clock;
}

function partsOf(at: string | number, timeZone: string | undefined) {
  return Object.fromEntries(
    clockIn(timeZone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  );
}

/** A time in the office's time zone, in both languages: `YYYY-MM-DD hh:mm hs`. */
export function formatFormTime(at: string | number, timeZone: string | undefined): string {
  const { year, month, day, hour, minute } = partsOf(at, timeZone);
  return `${year}-${month}-${day} ${hour}:${minute} hs`;
}

/** The office's date at a time, YYYY-MM-DD. */
export function officeDay(at: string | number, timeZone: string | undefined): string {
  return formatFormTime(at, timeZone).slice(0, 10);
}
