import { setImmediate as otherWork } from 'node:timers/promises';
import type { Language } from '#contract/shapes.ts';
import { csvLine, csvStart } from '#server/kit/csv.ts';
import type { AnswerColumn } from './answer-cells.ts';

/** A filed form as a row of the file. */
export interface AnswerRow {
  id: string;
  completedAt: Date;
  patientName: string;
  birthDate: string | null;
  outcome: string | null;
  version: number;
  cells: Readonly<Record<string, string>>;
}

const heads = {
  en: ['Date', 'Time', 'Patient', 'Birth date', 'Outcome', 'Form version', 'Submission ID'],
  es: ['Fecha', 'Hora', 'Paciente', 'Fecha de nacimiento', 'Resultado', 'Versión del formulario', 'ID del envío'],
} as const satisfies Record<Language, readonly string[]>;

/** Rows that are written before other requests get their turn. */
const rowsAtOnce = 200;

/**
 * A CSV of answers, one form a row and one question a column; no cell starts a formula. It takes the rows out of their list as it goes, and
 * what is written is outside the JavaScript heap: a large file must not fill it twice.
 */
export async function answersCsv(
  rows: AnswerRow[],
  columns: readonly AnswerColumn[],
  { timeZone, language }: { timeZone: string; language: Language },
): Promise<Buffer> {
  const sorted = columns.toSorted(inOrder);
  // Swedish dates are ISO dates: 2026-03-02 15:04.
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const parts = [Buffer.from(`${csvStart}${csvLine([...heads[language], ...titlesOf(sorted)])}`)];
  while (rows.length > 0) {
    for (const row of rows.splice(0, rowsAtOnce)) {
      const { id, completedAt, patientName, birthDate, outcome, version, cells } = row;
      const about = [...time.format(completedAt).split(' '), patientName, birthDate ?? '', outcome ?? ''];
      const line = csvLine([...about, String(version), id, ...sorted.map(({ key }) => cells[key] ?? '')]);
      parts.push(Buffer.from(line));
    }
    await otherWork();
  }
  return Buffer.concat(parts);
}

/** Cells of one file, blank ones included, and the memory that the filled ones take at most: two bytes a character, and what each needs. */
const mostCells = 4_000_000;
const mostBytes = 60_000_000;
const bytesOfCell = 64;

/** Counts what a file will hold, before it is written. */
export function sizeOfCsv() {
  let bytes = 0;
  return {
    add(cells: Readonly<Record<string, string>>): void {
      for (const cell of Object.values(cells)) bytes += 2 * cell.length + bytesOfCell;
    },
    isTooLarge: (cells: number): boolean => cells > mostCells || bytes > mostBytes,
  };
}

/** In the order of the newest version; what only older ones ask comes last. */
function inOrder({ place: one }: AnswerColumn, { place: other }: AnswerColumn): number {
  const until = Math.min(one.length, other.length);
  for (let i = 0; i < until; i++) {
    const order = (one[i] ?? 0) - (other[i] ?? 0);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** The questions' texts: with the number of the repetition from the second one on, and with the linkId where two are alike. */
function titlesOf(columns: readonly AnswerColumn[]): string[] {
  const titles = columns.map(({ text, indices }) => {
    const isFirst = indices.every((index) => index === 0);
    return isFirst ? text : `${text} (${indices.map((index) => index + 1).join('.')})`;
  });
  const times = Map.groupBy(titles, (title) => title);
  return titles.map((title, i) =>
    (times.get(title)?.length ?? 0) > 1 ? `${title} [${columns[i]?.linkId ?? ''}]` : title,
  );
}
