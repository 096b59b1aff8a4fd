import { isInRange, looksLikeUsNumber, type DeliveryOption } from '#contract/sms.ts';
import { instantOfWallTime } from './office-time.ts';
import type { ListProblem, ListRow } from './read-phone-list.ts';

/** A row of the form: a number, and when its text goes out. */
export interface DraftRow {
  key: number;
  /** Ten digits. */
  phone: string;
  /** The office's wall-clock time; null sends as soon as possible. */
  sendAt: string | null;
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
export const newRow = (): DraftRow => ({ key: ++lastKey, phone: '', sendAt: null });

export function rowsOfList(list: readonly ListRow[]): DraftRow[] {
  return list.map(({ line, phone, sendAt, problem, wrong }) => ({
    ...newRow(),
    phone,
    sendAt,
    line,
    wrong: problem === null ? undefined : { problem, cell: wrong },
  }));
}

/** Replaces the first, still empty row; otherwise adds to the rows. */
export function withList(rows: readonly DraftRow[], added: readonly DraftRow[]): DraftRow[] {
  return [...rows.filter(({ phone, sendAt, wrong }) => phone !== '' || sendAt !== null || wrong), ...added];
}

export function problemsOf(row: DraftRow, timeZone: string | undefined, now: number): RowProblems {
  const phone = !looksLikeUsNumber(`+1${row.phone}`) || row.refused === true || row.wrong?.problem === 'columns';
  if (row.sendAt === null) return { phone, time: row.wrong?.problem === 'time' };
  const at = instantOfWallTime(row.sendAt, timeZone);
  return { phone, time: at === null || !isInRange(new Date(at), new Date(now)) };
}

export function toDeliveryOptions(rows: readonly DraftRow[], timeZone: string | undefined): DeliveryOption[] {
  return rows.map(({ phone, sendAt }) => {
    const at = sendAt === null ? null : instantOfWallTime(sendAt, timeZone);
    return { phoneNumber: `+1${phone}`, sendAt: at === null ? '' : new Date(at).toISOString() };
  });
}
