/** A date of birth while it is typed. */
export interface BirthdayParts {
  month: string;
  day: string;
  year: string;
}

export const noBirthday: BirthdayParts = { month: '', day: '', year: '' };

/** Nothing was entered yet. */
export function isBlank(parts: BirthdayParts): boolean {
  return !parts.month && !parts.day && !parts.year;
}

/** `YYYY-MM-DD` where the parts are a real day up to `today` and after 1900, else null. */
export function birthdayOf({ month, day, year }: BirthdayParts, today: Date): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const latest = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate());
  return real && Number(year) > 1900 && date.getTime() <= latest ? date.toISOString().slice(0, 10) : null;
}

/** The parts of a `YYYY-MM-DD`. */
export function partsOf(date: string): BirthdayParts {
  const [year = '', month = '', day = ''] = date.split('-');
  return { year, month: String(Number(month)), day: String(Number(day)) };
}
