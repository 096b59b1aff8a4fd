/** What expressions know about the present. */
export interface Clock {
  /** The office's day, YYYY-MM-DD. */
  today?: string | undefined;
  /** The office's time zone, for `now()` and `timeOfDay()`. Without it they are in the machine's. */
  timeZone?: string | undefined;
  /** The moment, if it is not the present: that at which a form was filed. */
  now?: string | undefined;
}

/** A moment in a time zone, as FHIR writes it: 2026-03-02T23:30:00.000-05:00. */
export function dateTimeIn(timeZone: string | undefined, at: Date): string {
  const offset = offsetMinutes(timeZone, at);
  const clock = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, -1);
  const digits = (number: number) => String(number).padStart(2, '0');
  const size = Math.abs(offset);
  return `${clock}${offset < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

/** How far a time zone is ahead of Greenwich at that moment. */
function offsetMinutes(timeZone: string | undefined, at: Date): number {
  if (timeZone === undefined) return -at.getTimezoneOffset();
  const part: Record<string, number> = {};
  for (const { type, value } of partsIn(timeZone).formatToParts(at)) part[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = part;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - at.getTime()) / 60_000);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than an expression. */
function partsIn(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...numeric, second: 'numeric' });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}
