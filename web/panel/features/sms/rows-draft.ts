import { isAppointmentInRange, isInRange, looksLikeUsNumber, type DeliveryOption } from '#contract/sms.ts';
import { instantOfWallTime } from './office-time.ts';
import type { ListProblem, ListRow } from './read-phone-list.ts';

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
  /** Of a row from a file: its line, and what is wrong with it until the row is edited. */
  line?: number;
  wrong?: { problem: ListProblem; cell: string } | undefined;
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
  return list.map(({ line, name, phone, time, problem, wrong }) => ({
    ...newRow(),
    name,
    phone,
    time,
    line,
    wrong: problem === null ? undefined : { problem, cell: wrong },
  }));
}

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

function judge(row: DraftRow, timeZone: string | undefined): Judgment {
  const known = judgments.get(row);
  if (known && known.timeZone === timeZone) return known;
  const judgment = {
    timeZone,
    isBadPhone: !looksLikeUsNumber(`+1${row.phone}`) || row.refused === true || row.wrong?.problem === 'columns',
    at: row.time === null ? null : instantOfWallTime(row.time, timeZone),
  };
  judgments.set(row, judgment);
  return judgment;
}

export function problemsOf(row: DraftRow, { timeZone, now, mode = 'send-time' }: Judging): RowProblems {
  const { isBadPhone: phone, at } = judge(row, timeZone);
  if (row.time === null) return { phone, time: row.wrong?.problem === 'time' || mode === 'appointment' };
  const isPossible = mode === 'appointment' ? isAppointmentInRange : isInRange;
  return { phone, time: at === null || !isPossible(new Date(at), new Date(now)) };
}

export function isWrong(row: DraftRow, judging: Judging): boolean {
  const { phone, time } = problemsOf(row, judging);
  return phone || time;
}

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
