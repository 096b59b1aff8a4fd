import Papa from 'papaparse';
import { mostRowsRead } from '#contract/sms.ts';

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

/** A heading has no phone number; the longest numbers in headings are those of 'Phone 1'. */
const fewestDigits = 7;

/** Whether a line can be the headings of a list: no cell of it has as many digits as a phone number. */
export const hasNoNumber = ({ cells }: ListLine): boolean =>
  cells.every((cell) => cell.replace(/\D/g, '').length < fewestDigits);

/** Whether a line is the headings of a list: it has the word, and no number. */
export const hasPhoneHeading = (line: ListLine): boolean =>
  hasNoNumber(line) && line.cells.some((cell) => /phone|tel[eé]fono/i.test(cell));

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
