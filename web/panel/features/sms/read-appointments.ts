import { readPhone, readTime } from './list-cells.ts';
import { hasNoNumber, hasPhoneHeading, linesOf, refuseTooMany, type ListLine } from './list-lines.ts';
import type { ListRow } from './read-phone-list.ts';
import { wrongCells } from './wrong-cells.ts';

/** Which columns of a list have what; the name can be in several. */
interface Columns {
  phone: number;
  time: number;
  /** A column of its own for the day. */
  date: number | null;
  names: number[];
}

const headings = {
  mobile: /mobile|cell|celular|m[oó]vil/i,
  phone: /phone|tel[eé]f|n[uú]mero/i,
  dateTime: /(date|fecha).*(time|hora)|appointment|appt|cita/i,
  time: /time|hora|start|inicio/i,
  date: /date|fecha|day|d[ií]a/i,
  name: /name|nombre|apellido|patient|paciente|first|last/i,
  birthday: /birth|dob|nacimiento/i,
};
/** Lines by which the columns of a list without headings are recognized. */
const sampledLines = 50;

/**
 * Reads a CSV of appointments: name, phone number and time in any order, by its headings or by what the columns have. A time without a date
 * is on `day`.
 */
export function readAppointments(text: string, timeZone: string | undefined, day: string): ListRow[] {
  const lines = linesOf(text);
  const [first] = lines;
  if (!first) return [];
  const hasHeadings = isHeading(first);
  const rows = refuseTooMany(hasHeadings ? lines.slice(1) : lines);
  const cells = hasHeadings ? first.cells : [];
  const columns = columnsByHeading(cells) ?? columnsByContent(rows.slice(0, sampledLines), cells);
  return rows.map((line) => readAppointment(line, columns, { timeZone, day }));
}

/** Whether the first line has headings: one with 'phone' or two others, and neither a number nor a time of day. */
function isHeading(line: ListLine): boolean {
  if (line.cells.some(isClock)) return false;
  const isKnown = (cell: string) => Object.values(headings).some((heading) => heading.test(cell));
  return hasPhoneHeading(line) || (hasNoNumber(line) && line.cells.filter(isKnown).length >= 2);
}

function columnsByHeading(cells: readonly string[]): Columns | null {
  const birthdays = birthdayColumns(cells);
  const usable = [...cells.keys()].filter((at) => !birthdays.includes(at));
  const find = (heading: RegExp, but: readonly number[] = []) =>
    usable.find((at) => !but.includes(at) && heading.test(cells[at] ?? '')) ?? null;
  const phone = find(headings.mobile) ?? find(headings.phone);
  if (phone === null) return null;
  const both = find(/(date|fecha).*(time|hora)/i, [phone]);
  const time = both ?? find(headings.time, [phone]) ?? find(headings.dateTime, [phone]);
  if (time === null) return null;
  const date = both === null ? find(headings.date, [phone, time]) : null;
  const names = usable.filter((at) => ![phone, time, date].includes(at) && headings.name.test(cells[at] ?? ''));
  return { phone, time, date, names };
}

const birthdayColumns = (cells: readonly string[]): number[] =>
  [...cells.keys()].filter((at) => headings.birthday.test(cells[at] ?? ''));

/**
 * The column with the most numbers, the one with the most times, and the rest with words. Headings that do not name every column still say
 * which number is the mobile one and which date is a birthday.
 */
function columnsByContent(lines: readonly ListLine[], headingCells: readonly string[]): Columns {
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  const birthdays = birthdayColumns(headingCells);
  const mobile = headingCells.findIndex((cell) => headings.mobile.test(cell));
  const best = (fits: (cell: string) => boolean, but: readonly (number | null)[]): number | null => {
    const counts = Array.from({ length: width }, (_, at) =>
      but.includes(at) || birthdays.includes(at) ? 0 : lines.filter(({ cells }) => fits(cells[at] ?? '')).length,
    );
    const most = Math.max(0, ...counts);
    return most === 0 ? null : counts.indexOf(most);
  };
  const phone = mobile === -1 ? (best((cell) => readPhone(cell).problem === null, []) ?? 1) : mobile;
  const time = best(isClock, [phone]) ?? 2;
  const date = best((cell) => timeOn(`${cell} 12:00`, null, undefined) !== undefined, [phone, time]);
  const names = Array.from({ length: width }, (_, at) => at).filter(
    (at) => ![phone, time, date].includes(at) && lines.some(({ cells }) => /\p{L}/u.test(cells[at] ?? '')),
  );
  return { phone, time, date, names };
}

function readAppointment(
  { line, cells }: ListLine,
  { phone: phoneAt, time: timeAt, date: dateAt, names }: Columns,
  { timeZone, day }: { timeZone: string | undefined; day: string },
): ListRow {
  const cellAt = (at: number | null) => (at === null ? '' : (cells[at] ?? '').trim());
  const name = names.map(cellAt).filter(Boolean).join(' ');
  const { phone, problem } = readPhone(cellAt(phoneAt));
  const date = cellAt(dateAt);
  const timeCell = cellAt(timeAt);
  const time = date === '' ? timeOn(timeCell, day, timeZone) : timeOn(`${date} ${timeCell}`, null, timeZone);
  const wrong = wrongCells({
    phone: problem && { problem, cell: cellAt(phoneAt) },
    time: time === undefined ? `${date} ${timeCell}`.trim() : null,
  });
  return { line, name, phone, time: time ?? null, wrong };
}

/** Whether a cell has a time of day; on which day does not matter. */
const isClock = (cell: string) => cell.trim() !== '' && timeOn(cell, '2026-01-01', undefined) !== undefined;

const earliestHour = 5;

/** The wall-clock time of a cell; a time alone is on `day`. An hour of the night without AM or PM is not clear: undefined. */
function timeOn(cell: string, day: string | null, timeZone: string | undefined): string | undefined {
  const spelled = cell.trim();
  const [year, month, date] = day?.split('-') ?? [];
  const time =
    readTime(spelled, timeZone) ??
    (day === null ? undefined : readTime(`${month}/${date}/${year} ${spelled}`, timeZone));
  if (!time) return undefined;
  const isClear = Number(time.slice(11, 13)) >= earliestHour || /[ap]\.?\s?m|z$|[+-]\d{2}:?\d{2}$/i.test(spelled);
  return isClear ? time : undefined;
}
