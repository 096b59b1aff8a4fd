import Papa from 'papaparse';
import { mostRowsRead } from '#contract/sms.ts';
import { plainPhone, readPhone, readTime } from './list-cells.ts';

/** Why a row of a file cannot be texted. `shortened`: Excel wrote the number as 5.55E+09 and lost its digits. */
export type ListProblem = 'phone' | 'shortened' | 'time' | 'columns';

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
  problem: ListProblem | null;
  /** The cell that is wrong, as the file has it. */
  wrong: string;
}

export class TooManyRows extends Error {}

/** The text of a file, by its first bytes: UTF-8, UTF-16, or what Excel on Windows writes. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // UTF-16 without a mark: digits and commas have a zero byte each.
  if (second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads a CSV: the phone number in the first column, the date and time to send in the second. Header rows are skipped. */
export function readPhoneList(text: string, timeZone: string | undefined): ListRow[] {
  const timeOf = timeReader(timeZone);
  const rows: ListRow[] = [];
  for (const { line, cells } of linesOf(text)) {
    const row = usualRow(line, cells, timeOf) ?? (isHeader(cells) ? null : readRow(line, cells, timeOf));
    if (row !== null) rows.push(row);
  }
  return refuseTooMany(rows);
}

const isHeader = (cells: readonly string[]) => cells.some((cell) => /phone/i.test(cell));

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
  return phone === null || time === undefined ? null : { line, name: '', phone, time, problem: null, wrong: '' };
}

export interface ListLine {
  /** Its first line in the file, from 1. */
  line: number;
  cells: string[];
}

/** The lines of a CSV that are not empty. */
export function linesOf(text: string): ListLine[] {
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const delimiter = delimiterOf(source);
  // Without a quote anywhere, a row is a line.
  const data = source.includes('"')
    ? Papa.parse<string[]>(source, { delimiter }).data
    : source.split('\n').map((line) => line.split(delimiter));
  const lines: ListLine[] = [];
  let line = 1;
  for (const cells of data) {
    if (cells.some((cell) => cell.trim() !== '')) lines.push({ line, cells });
    line += 1;
    for (const cell of cells) line += breaksIn(cell);
  }
  return lines;
}

function breaksIn(cell: string): number {
  let breaks = 0;
  for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

/** Refuses more rows than the form shows. One send takes fewer; the form says so and keeps the rows. */
export function refuseTooMany<Row>(rows: Row[]): Row[] {
  if (rows.length > mostRowsRead) throw new TooManyRows();
  return rows;
}

/**
 * The delimiter of most of the first lines; a comma if there is none, because a date can have commas too. Papaparse's own guess counts empty
 * lines and so finds none in a short list.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n')
    .map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '' || line.includes('\t'));
  const isUsual = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length * 2 > lines.length;
  return ['\t', ';', '|'].find(isUsual) ?? ',';
}

function readRow(line: number, cells: readonly string[], timeOf: TimeReader): ListRow {
  const [phoneCell = '', timeCell] = cells;
  const { phone, problem } = readPhone(phoneCell);
  const row: ListRow = { line, name: '', phone, time: null, problem, wrong: problem === null ? '' : phoneCell.trim() };
  if (timeCell === undefined) return { ...row, problem: 'columns', wrong: phoneCell.trim() };
  if (problem !== null) return row;
  const time = timeOf(timeCell);
  return time === undefined ? { ...row, problem: 'time', wrong: timeCell.trim() } : { ...row, time };
}
