import { plainPhone, readPhone, readTime } from './list-cells.ts';
import { hasPhoneHeading, linesOf, refuseTooMany } from './list-lines.ts';
import { wrongCells, type WrongCells } from './wrong-cells.ts';

/** A row of an uploaded list. */
export interface ListRow {
  /** Its line in the file, from 1. */
  line: number;
  /** The patient's name, if the list has names. It is shown and never sent anywhere. */
  name: string;
  /** Ten digits, or the digits that were found. */
  phone: string;
  /** The office's wall-clock time: of the text, null for as soon as possible; or of the appointment. */
  time: string | null;
  /** Null for a row that can be sent as it is. */
  wrong: WrongCells | null;
}

/** Reads a CSV: the phone number in the first column, the date and time to send in the second. Headings in the first line are skipped. */
export function readPhoneList(text: string, timeZone: string | undefined): ListRow[] {
  const timeOf = timeReader(timeZone);
  const lines = linesOf(text);
  const [first] = lines;
  const rows = first && hasPhoneHeading(first) ? lines.slice(1) : lines;
  return refuseTooMany(rows).map(({ line, cells }) => usualRow(line, cells, timeOf) ?? readRow(line, cells, timeOf));
}

type TimeReader = (cell: string) => string | null | undefined;

/** Reads time cells. The people of a list share their times, so each spelling is read once. */
function timeReader(timeZone: string | undefined): TimeReader {
  const known = new Map<string, string | null | undefined>();
  return (cell) => {
    if (known.has(cell)) return known.get(cell);
    const time = readTime(cell, timeZone);
    known.set(cell, time);
    return time;
  };
}

/** A row of two right cells, which nearly all are; null for any other row, which takes the long way. */
function usualRow(line: number, cells: readonly string[], timeOf: TimeReader): ListRow | null {
  const [phoneCell = '', timeCell] = cells;
  if (cells.length !== 2 || timeCell === undefined) return null;
  const phone = plainPhone(phoneCell);
  const time = phone === null ? undefined : timeOf(timeCell);
  return phone === null || time === undefined ? null : { line, name: '', phone, time, wrong: null };
}

/** The time is read whatever the number is: once somebody corrects the number, its text still goes out when the file says. */
function readRow(line: number, cells: readonly string[], timeOf: TimeReader): ListRow {
  const [phoneCell = '', timeCell] = cells;
  const { phone, problem: phoneProblem } = readPhone(phoneCell);
  const problem = phoneProblem ?? (timeCell === undefined ? 'columns' : null);
  const time = timeOf(timeCell ?? '');
  const wrong = wrongCells({
    phone: problem && { problem, cell: phoneCell.trim() },
    time: time === undefined ? (timeCell ?? '').trim() : null,
  });
  return { line, name: '', phone, time: time ?? null, wrong };
}
