/**
 * Why the number of a row cannot be texted. `shortened`: Excel wrote it as 5.55E+09 and lost its digits. `columns`: the number is right, but
 * the row has no column for the time.
 */
export type PhoneProblem = 'phone' | 'shortened' | 'columns';

/** The cells of a row that cannot be used, as the file has them. A row can have both. */
export interface WrongCells {
  phone: { problem: PhoneProblem; cell: string } | null;
  /** Empty if an appointment has no time. */
  time: string | null;
}

/** Null if neither cell is wrong. */
export const wrongCells = (cells: WrongCells): WrongCells | null =>
  cells.phone === null && cells.time === null ? null : cells;
