import { isDate } from '#questionnaire/dates/date-formats.ts';
import { locales, type Language } from '#web/kit/i18n.ts';

/** Month, day and year as they are typed. */
export interface DateParts {
  month: string;
  day: string;
  year: string;
}

/** The texts of the three fields for a date, for a month or a year alone, or for an unfinished entry. */
export function partsOf(value: string): DateParts {
  const known = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(value.slice(0, 10));
  if (known) {
    const [, year = '', month = '', day = ''] = known;
    return { month: month.replace(/^0/, ''), day: day.replace(/^0/, ''), year };
  }
  const [month = '', day = '', year = ''] = value.split('/');
  return { month, day, year };
}

/** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, as far as it was filled in; `month/day/year` while it is no date. Empty when nothing is there. */
export function dateOf({ month, day, year }: DateParts): string {
  const [m, d, y] = [month, day, year].map((part) => part.normalize('NFKC').replace(/\D/g, ''));
  if (!m && !d && !y) return '';
  const fits = y?.length === 4 && (m || !d);
  if (!fits) return `${m}/${d}/${y}`;
  return [y, m?.padStart(2, '0'), d?.padStart(2, '0')].filter((part) => part && part !== '00').join('-');
}

/** A day or a month with the month's name, so that nobody mixes up month and day; empty for anything else. */
export function longDate(value: string, language: Language): string {
  const day = value.slice(0, 10);
  if (day.length < 7 || !isDate(day)) return '';
  const parts = day.length === 10 ? ({ dateStyle: 'long' } as const) : ({ year: 'numeric', month: 'long' } as const);
  return new Date(day).toLocaleDateString(locales[language], { ...parts, timeZone: 'UTC' });
}
