import type { QueueEntry } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';

/** Removes accents and case, so that "garcia" finds García. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}

const wordsOf = (text: string) =>
  plain(text)
    .split(/[\s\-'’.]+/)
    .filter(Boolean);

/** Finds visits by parts of a name of anyone in the party, by initials, or by three or more digits of the phone. */
export function searchVisits(visits: readonly QueueEntry[], asked: string): readonly QueueEntry[] {
  return search(visits, asked, ({ username, patientName, activePatients }) => ({
    phone: username,
    names: [patientName, ...activePatients.map(({ name }) => name)],
  }));
}

/** Finds expected patients the same way. Most have no name yet. */
export function searchExpected(expected: readonly SmsCheckin[], asked: string): readonly SmsCheckin[] {
  return search(expected, asked, ({ patientId: { phone, first_name: first, last_name: last } }) => ({
    phone,
    names: [`${first} ${last}`],
  }));
}

function search<Row>(
  rows: readonly Row[],
  typed: string,
  keysOf: (row: Row) => { phone: string; names: string[] },
): readonly Row[] {
  const text = typed.trim();
  if (text === '') return rows;
  const digits = text.replace(/[\s()+.-]/g, '');
  if (/^\d{3,}$/.test(digits)) return rows.filter((row) => keysOf(row).phone.replace(/\D/g, '').includes(digits));
  const parts = wordsOf(text);
  return rows.filter((row) => keysOf(row).names.some((name) => fits(name, parts)));
}

function fits(name: string, parts: readonly string[]): boolean {
  const words = wordsOf(name);
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return true;
  const [letters = ''] = parts;
  return parts.length === 1 && letters.length > 1 && isInitials(words, letters);
}

/** Whether the query is the initials of the name's words in order; middle names may be skipped. */
function isInitials(words: readonly string[], letters: string): boolean {
  let at = 0;
  for (const word of words) if (at < letters.length && word.startsWith(letters[at] ?? '')) at += 1;
  return at === letters.length && (words[0] ?? '').startsWith(letters[0] ?? '');
}
