const made = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? '';
  let clock = made.get(key);
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
    made.set(key, clock);
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

/** A form's moment by the office's clock, in both languages: `YYYY-MM-DD hh:mm hs`. */
export function formMoment(at: string | number, timeZone: string | undefined): string {
  const { year, month, day, hour, minute } = partsOf(at, timeZone);
  return `${year}-${month}-${day} ${hour}:${minute} hs`;
}

/** The office's day at a moment, YYYY-MM-DD. */
export function officeDay(at: string | number, timeZone: string | undefined): string {
  return formMoment(at, timeZone).slice(0, 10);
}
