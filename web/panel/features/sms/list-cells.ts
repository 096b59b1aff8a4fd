import { looksLikeUsNumber } from '#contract/sms.ts';
import { wallTimeAt } from '#web/kit/office-clock.ts';

/** A US number in any usual spelling. */
export function readPhone(cell: string): { phone: string; problem: 'phone' | 'shortened' | null } {
  const plain = plainPhone(cell);
  if (plain !== null) return { phone: plain, problem: null };
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
  const number = spelled.replace(/[.]0$/, '').replace(/\s*(?:x|ext\.?|#)\s*\d+$/i, '');
  const digits = number.replace(/\D/g, '');
  // Words before or after the number, such as 'cell', say nothing against it. Among its digits, they may separate two numbers.
  const fromFirstToLastDigit = /\d.*\d/s.exec(number)?.[0] ?? '';
  if (/\p{L}/u.test(fromFirstToLastDigit)) return { phone: digits.slice(0, 10), problem: 'phone' };
  return checkedPhone(digits);
}

const plainMarks: ReadonlySet<number> = new Set(Array.from(' ()-.+', (mark) => mark.charCodeAt(0)));

/** The ten digits of a number written with digits and the usual marks only, as nearly all are; null for any other cell. */
export function plainPhone(cell: string): string | null {
  let digits = 0;
  let number = 0;
  for (let i = 0; i < cell.length; i++) {
    const code = cell.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      number = number * 10 + code - 48;
      digits++;
    } else if (!plainMarks.has(code)) return null;
  }
  const isNational = digits === 10 && number >= 2e9;
  const isWithCountry = digits === 11 && number >= 12e9 && number < 2e10;
  // A number that a spreadsheet wrote with a decimal has a digit too many.
  if ((!isNational && !isWithCountry) || cell.endsWith('.0')) return null;
  const phone = isWithCountry ? number - 1e10 : number;
  // The exchange begins with 2 to 9 too.
  return Math.floor(phone / 1e6) % 10 >= 2 ? String(phone) : null;
}

function checkedPhone(digits: string): { phone: string; problem: 'phone' | null } {
  const phone = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  return looksLikeUsNumber(`+1${phone}`) ? { phone, problem: null } : { phone: phone.slice(0, 10), problem: 'phone' };
}

const isoTime =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[T ,]+(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*(?:([ap])\.?\s?m\.?|(Z|[+-]\d{2}:?\d{2}))?$/i;
const usTime =
  /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})[T ,]+(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(?:([ap])\.?\s?m\.?)?$/i;

/** The wall-clock time of a cell; null if it is empty, undefined if it is no time. Months come before days, as Americans write. */
export function readTime(cell: string, timeZone: string | undefined): string | null | undefined {
  const spelled = (isAscii.test(cell) ? cell : cell.normalize('NFKC')).trim();
  if (spelled === '') return null;
  const iso = isoTime.exec(spelled);
  if (iso) return readIsoTime(iso, timeZone);
  const us = usTime.exec(spelled);
  return us ? readUsTime(us) : undefined;
}

const isAscii = /^[ -~]*$/;

function readIsoTime(parts: RegExpExecArray, timeZone: string | undefined): string | undefined {
  const [, year = '', month = '', day = '', hour = '', minute = '', half, offset] = parts;
  const wall = wallTime(year, month, day, hourOfDay(hour, half), minute);
  if (wall === undefined || !offset) return wall;
  const zone = /z/i.test(offset) ? 'Z' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(`${wall}:00${zone}`);
  return Number.isNaN(at) ? undefined : wallTimeAt(at, timeZone);
}

/** 2:30 PM, 2 PM or 14:30; an hour alone is no time. */
function readUsTime(parts: RegExpExecArray): string | undefined {
  const [, month = '', day = '', shortYear = '', hour = '', minute, half] = parts;
  const year = shortYear.length === 2 ? `20${shortYear}` : shortYear;
  if (half === undefined && minute === undefined) return undefined;
  return wallTime(year, month, day, hourOfDay(hour, half), minute ?? '00');
}

/** From 0 to 23; NaN for 0 or 13 o'clock with AM or PM. */
function hourOfDay(hour: string, half: string | undefined): number {
  if (half === undefined) return Number(hour);
  if (Number(hour) < 1 || Number(hour) > 12) return NaN;
  return (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Undefined if there is no such day or time. */
function wallTime(year: string, month: string, day: string, hour: number, minute: string): string | undefined {
  const isTime = hour <= 23 && Number(minute) <= 59;
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysOf(year, month);
  return isTime && isDay ? `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}` : undefined;
}

const two = (value: string | number) => String(value).padStart(2, '0');

/** The days of a month; day 0 of the next one is its last. */
const daysOf = (year: string, month: string) => new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
