import { birthDateProblem } from '#contract/birth-date.ts';
import { isDay } from '#contract/day.ts';

/** What may be wrong with a date of birth. */
export type DateError = 'date-missing' | 'date-incomplete' | 'no-such-day' | 'date-ahead' | 'date-too-old';

/** A date of birth from month/day/year as people type it, or from `YYYY-MM-DD` as phones fill it in. Answers `YYYY-MM-DD`. */
export function readBirthDate(text: string, today: string): { date: string } | { wrong: DateError } {
  const typed = plain(text);
  if (typed === '') return { wrong: 'date-missing' };
  const parts =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ??
    /^(\d\d)(\d\d)(\d{4})$/.exec(typed) ??
    isoParts(typed) ??
    undefined;
  if (!parts) return { wrong: 'date-incomplete' };
  const [, month = '', day = '', year = ''] = parts;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isDay(date)) return { wrong: 'no-such-day' };
  const wrong = birthDateProblem(date, today);
  return wrong ? { wrong } : { date };
}

/**
 * The field after an edit: the slashes come by themselves while digits are added at the end. Anything else (deleting, an edit
 * in the middle) stays as it was typed.
 */
export function editBirthDate(before: string, text: string): string {
  const iso = isoParts(plain(text));
  if (iso) return `${iso[1]}/${iso[2]}/${iso[3]}`;
  const typed = plain(text).replace(/[^\d/]/g, '');
  if (!text.startsWith(before) || text.length <= before.length) return typed;
  const [first = '', second, third] = typed.split('/');
  if (third !== undefined) return typed.slice(0, 10);
  if (second !== undefined) {
    const month = first.padStart(2, '0');
    if (text.endsWith('/') || second.length < 2) return `${month}/${second}`;
    return `${month}/${second.slice(0, 2)}/${second.slice(2, 6)}`;
  }
  const month = first.length === 1 && first > '1' ? `0${first}` : first.slice(0, 2);
  if (month.length < 2) return month;
  const rest = first.slice(2);
  return rest.length < 2 ? `${month}/${rest}` : `${month}/${rest.slice(0, 2)}/${rest.slice(2, 6)}`;
}

/** `YYYY-MM-DD` in the format of the field. */
export function showBirthDate(date: string): string {
  return date.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1');
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .trim()
    .replace(/[/.\s-]+/g, '/');

/** Month, day and year of a date that begins with its year. */
function isoParts(typed: string): [string, string, string, string] | null {
  const parts = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(typed);
  return parts && [typed, (parts[2] ?? '').padStart(2, '0'), (parts[3] ?? '').padStart(2, '0'), parts[1] ?? ''];
}
