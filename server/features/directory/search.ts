import { searchWordsOf } from '#server/search-words.ts';

const longestWord = 100;
const mostWords = 8;

/** The beginnings that a search looks for. A birthday and a phone number are one word each, however they are spelled. */
export function directorySearchWords(search: string, now: Date): string[] {
  const words = birthdaysInWords(search.trim(), now).replace(
    /[^\s]*\d[^\s]*/g,
    (spelled) => birthdayIn(spelled, now) ?? spelled,
  );
  const phone = phoneIn(words);
  return [...new Set(phone === null ? searchWordsOf(words) : [phone])]
    .map((word) => word.slice(0, longestWord))
    .slice(0, mostWords);
}

/** Apr 18, 1993 and 18 de abril de 1993, in either language, as 1993-04-18. A month with no day beside it may be a name: April, Julio. */
function birthdaysInWords(search: string, now: Date): string {
  const spelled = (day: string, month: string, written: string): string | null => {
    const at = months.findIndex((names) => names.some((name) => month.toLowerCase() === name));
    const year = written.length === 4 ? written : yearOf(Number(written), now.getUTCFullYear());
    return at === -1 || dayOf(year, String(at + 1), day) === null ? null : `${year}-${at + 1}-${day}`;
  };
  return search
    .replace(
      /(\p{L}+)\.? (\d{1,2}),? (\d{4}|\d{2})(?!\d)/gu,
      (all, month: string, day: string, year: string) => spelled(day, month, year) ?? all,
    )
    .replace(
      /(?<!\d)(\d{1,2}) (?:de )?(\p{L}+)\.?,? (?:de )?(\d{4}|\d{2})(?!\d)/gu,
      (all, day: string, month: string, year: string) => spelled(day, month, year) ?? all,
    );
}

const months: readonly (readonly string[])[] = [
  ['jan', 'january', 'ene', 'enero'],
  ['feb', 'february', 'febrero'],
  ['mar', 'march', 'marzo'],
  ['apr', 'april', 'abr', 'abril'],
  ['may', 'mayo'],
  ['jun', 'june', 'junio'],
  ['jul', 'july', 'julio'],
  ['aug', 'august', 'ago', 'agosto'],
  ['sep', 'sept', 'september', 'septiembre'],
  ['oct', 'october', 'octubre'],
  ['nov', 'november', 'noviembre'],
  ['dec', 'december', 'dic', 'diciembre'],
];

/** Nothing but a number, in any spelling: its digits without the country code. */
function phoneIn(search: string): string | null {
  if (!/^[+\d\s().-]+$/.test(search)) return null;
  const digits = search.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length >= 5 ? digits : null;
}

/** 3/2/1987, 03-02-87 and 1987-03-02 as 19870302; months come first, as Americans write, unless there is no such month. */
function birthdayIn(spelled: string, now: Date): string | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(spelled);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const us = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(spelled);
  if (!us) return null;
  const [, first, second, written = ''] = us;
  const year = written.length === 4 ? written : yearOf(Number(written), now.getUTCFullYear());
  return dayOf(year, first, second) ?? dayOf(year, second, first);
}

/** Nobody is born in the future: 87 is 1987, 24 is 2024. */
const yearOf = (short: number, thisYear: number) => String(2000 + short > thisYear ? 1900 + short : 2000 + short);

function dayOf(year = '', month = '', day = ''): string | null {
  const spelled = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${spelled}T00:00:00Z`);
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(spelled);
  return exists ? spelled.replaceAll('-', '') : null;
}
