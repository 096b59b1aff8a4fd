import { isAppointmentInRange, isInRange, looksLikeUsNumber, type DeliveryOption } from '#contract/sms.ts';
import { instantOfWallTime } from '#web/kit/office-clock.ts';
import type { ListRow } from './read-phone-list.ts';
import { wrongCells, type WrongCells } from './wrong-cells.ts';

/** What the times of a list are: when each text goes out, or when each appointment is. */
export type ListMode = 'send-time' | 'appointment';

/** A row of the form: a number, and when its text goes out or when its appointment is. */
export interface DraftRow {
  key: number;
  /** The patient's name, if the file has it. It stays on this screen. */
  name: string;
  /** Ten digits. */
  phone: string;
  /** The office's wall-clock time; null sends as soon as possible, and is missing for an appointment. */
  time: string | null;
  /** Of a row from a file: its line, and which cells are wrong. Each stays wrong until somebody edits it. */
  line?: number;
  wrong?: WrongCells | null;
  /** The server refused the number. */
  refused?: boolean;
}

export interface RowProblems {
  phone: boolean;
  time: boolean;
}

let lastKey = 0;
export const newRow = (): DraftRow => ({ key: ++lastKey, name: '', phone: '', time: null });

export function rowsOfList(list: readonly ListRow[]): DraftRow[] {
  return list.map((row) => ({ ...newRow(), ...row }));
}

/** The row with another number. A time that could not be read is still to be corrected. */
export function withPhone(row: DraftRow, phone: string): DraftRow {
  return { ...row, phone, refused: false, wrong: wrongCells({ phone: null, time: row.wrong?.time ?? null }) };
}

/** The row with another time, null for as soon as possible. That also mends a row without a column for it. */
export function withTime(row: DraftRow, time: string | null): DraftRow {
  const phone = row.wrong?.phone ?? null;
  return { ...row, time, wrong: wrongCells({ phone: phone?.problem === 'columns' ? null : phone, time: null }) };
}

/** Whether the file has only the number of this row. */
export const hasNoTimeColumn = ({ wrong }: DraftRow): boolean => wrong?.phone?.problem === 'columns';

/** Whether the file has a time for this row that cannot be read, and that nobody has corrected. */
export const hasWrongTime = ({ wrong }: DraftRow): boolean => (wrong?.time ?? null) !== null;

/** Replaces the first, still empty row; otherwise adds to the rows. */
export function withList(rows: readonly DraftRow[], added: readonly DraftRow[]): DraftRow[] {
  return [...rows.filter(({ phone, time, wrong }) => phone !== '' || time !== null || wrong), ...added];
}

interface Judging {
  timeZone: string | undefined;
  now: number;
  mode?: ListMode;
}

interface Judgment {
  timeZone: string | undefined;
  isBadPhone: boolean;
  /** Ms since 1970; null if the row has no time or none that exists. */
  at: number | null;
}

/** A row never changes, so each is judged once: a list has thousands, and the form asks at each keystroke. */
const judgments = new WeakMap<DraftRow, Judgment>();

/** Ten digits of a longer number may be those of somebody else, so the file's cell counts until somebody types the number. */
const hasWrongPhone = ({ wrong }: DraftRow): boolean => (wrong?.phone ?? null) !== null;

function judge(row: DraftRow, timeZone: string | undefined): Judgment {
  const known = judgments.get(row);
  if (known && known.timeZone === timeZone) return known;
  const judgment = {
    timeZone,
    isBadPhone: !looksLikeUsNumber(`+1${row.phone}`) || row.refused === true || hasWrongPhone(row),
    at: row.time === null ? null : instantOfWallTime(row.time, timeZone),
  };
  judgments.set(row, judgment);
  return judgment;
}

export function problemsOf(row: DraftRow, { timeZone, now, mode = 'send-time' }: Judging): RowProblems {
  const { isBadPhone: phone, at } = judge(row, timeZone);
  if (row.time === null) return { phone, time: hasWrongTime(row) || mode === 'appointment' };
  const isPossible = mode === 'appointment' ? isAppointmentInRange : isInRange;
  return { phone, time: at === null || !isPossible(new Date(at), new Date(now)) };
}

export function isWrong(row: DraftRow, judging: Judging): boolean {
  const { phone, time } = problemsOf(row, judging);
  return phone || time;
}

/** Whether the problems of a row are shown before the first press of Send: those of an uploaded list are. */
export const isMarkedAtOnce = (row: DraftRow): boolean => row.line !== undefined || row.refused === true;

/** Whether a row has a time that can be read, and that is too near, in the past, or too far. */
export const isOutOfRange = (row: DraftRow, judging: Judging): boolean =>
  judge(row, judging.timeZone).at !== null && problemsOf(row, judging).time;

export function toDeliveryOptions(
  rows: readonly DraftRow[],
  timeZone: string | undefined,
  mode: ListMode = 'send-time',
): DeliveryOption[] {
  return rows.map(({ phone, time }) => {
    const at = time === null ? null : instantOfWallTime(time, timeZone);
    const instant = at === null ? '' : new Date(at).toISOString();
    const phoneNumber = `+1${phone}`;
    return mode === 'appointment' && instant !== ''
      ? { phoneNumber, appointmentAt: instant }
      : { phoneNumber, sendAt: instant };
  });
}
