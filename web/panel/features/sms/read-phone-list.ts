import Papa from 'papaparse';
import { looksLikeUsNumber, mostRows } from '#contract/sms.ts';
import { instantOfWallTime, wallTimeAt } from './office-time.ts';

/** Why a row of a file cannot be texted. `shortened`: Excel wrote the number as 5.55E+09 and lost its digits. */
export type ListProblem = 'phone' | 'shortened' | 'time' | 'columns';

/** A row of an uploaded list. */
export interface ListRow {
  /** Its line in the file, from 1. */
  line: number;
  /** Ten digits, or the digits that were found. */
  phone: string;
  /** The office's wall-clock time; null sends as soon as possible. */
  sendAt: string | null;
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
  const lines = text.replace(/\r\n?/g, '\n');
  const { data } = Papa.parse<string[]>(lines, { delimiter: delimiterOf(lines) });
  const rows: ListRow[] = [];
  let line = 1;
  for (const cells of data) {
    const at = line;
    line += 1 + cells.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0);
    if (cells.every((cell) => cell.trim() === '') || cells.some((cell) => /phone/i.test(cell))) continue;
    rows.push(readRow(at, cells, timeZone));
    if (rows.length > mostRows) throw new TooManyRows();
  }
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

function readRow(line: number, cells: string[], timeZone: string | undefined): ListRow {
  const [phoneCell = '', timeCell] = cells;
  const { phone, problem } = readPhone(phoneCell);
  const row: ListRow = { line, phone, sendAt: null, problem, wrong: problem === null ? '' : phoneCell.trim() };
  if (timeCell === undefined) return { ...row, problem: 'columns', wrong: phoneCell.trim() };
  if (problem !== null) return row;
  const sendAt = readTime(timeCell, timeZone);
  return sendAt === undefined ? { ...row, problem: 'time', wrong: timeCell.trim() } : { ...row, sendAt };
}

/** A US number in any usual spelling. */
function readPhone(cell: string): { phone: string; problem: 'phone' | 'shortened' | null } {
  const spelled = cell
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const scientific = /^(\d)[.,]?(\d*)E\+?(\d+)$/i.exec(spelled);
  if (scientific) {
    const [, whole = '', rest = '', exponent] = scientific;
    if (Number(exponent) !== rest.length) return { phone: '', problem: 'shortened' };
    return checkedPhone(whole + rest);
  }
  const number = spelled
    .replace(/^tel:/i, '')
    .replace(/[.]0$/, '')
    .replace(/\s*(?:x|ext\.?|#)\s*\d+$/i, '');
  const digits = number.replace(/\D/g, '');
  return /\p{L}/u.test(number) ? { phone: digits.slice(0, 10), problem: 'phone' } : checkedPhone(digits);
}

function checkedPhone(digits: string): { phone: string; problem: 'phone' | null } {
  const phone = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  return looksLikeUsNumber(`+1${phone}`) ? { phone, problem: null } : { phone: phone.slice(0, 10), problem: 'phone' };
}

const isoTime = /^(\d{4})-(\d{1,2})-(\d{1,2})[T ,]+(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const usTime =
  /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})[T ,]+(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(?:([ap])\.?\s?m\.?)?$/i;

/** The wall-clock time of a cell; null if it is empty, undefined if it is no time. Months come before days, as Americans write. */
function readTime(cell: string, timeZone: string | undefined): string | null | undefined {
  const spelled = cell.normalize('NFKC').trim();
  if (spelled === '') return null;
  const iso = isoTime.exec(spelled);
  if (iso) return readIsoTime(iso, timeZone);
  const us = usTime.exec(spelled);
  return us ? readUsTime(us) : undefined;
}

function readIsoTime(parts: RegExpExecArray, timeZone: string | undefined): string | undefined {
  const [, year = '', month = '', day = '', hour = '', minute = '', offset] = parts;
  const wall = wallTime(year, month, day, Number(hour), minute);
  if (wall === undefined || !offset) return wall;
  const zone = /z/i.test(offset) ? 'Z' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(`${wall}:00${zone}`);
  return Number.isNaN(at) ? undefined : wallTimeAt(at, timeZone);
}

/** 2:30 PM, 2 PM or 14:30; an hour alone is no time. */
function readUsTime(parts: RegExpExecArray): string | undefined {
  const [, month = '', day = '', shortYear = '', hour = '', minute, half] = parts;
  const year = shortYear.length === 2 ? `20${shortYear}` : shortYear;
  if (half === undefined) return minute === undefined ? undefined : wallTime(year, month, day, Number(hour), minute);
  if (Number(hour) < 1 || Number(hour) > 12) return undefined;
  const hour24 = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return wallTime(year, month, day, hour24, minute ?? '00');
}

/** Undefined if there is no such day or time. */
function wallTime(year: string, month: string, day: string, hour: number, minute: string): string | undefined {
  const two = (value: string | number) => String(value).padStart(2, '0');
  const wall = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}`;
  const at = instantOfWallTime(wall, 'UTC');
  return at !== null && wallTimeAt(at, 'UTC') === wall ? wall : undefined;
}
