/** Where the chart of pain scores draws its points and lines. */

/** The scale of the pain scores. */
export const worstPain = 10;

/** A day's score; null on a day without one. */
export interface DayScore {
  day: number;
  score: number | null;
}

/** The size of the chart in its own units, and the room for the numbers beside it. */
export const chart = { width: 360, height: 180, left: 24, right: 10, top: 10, bottom: 24 } as const;

export const yOf = (score: number) =>
  chart.top + ((worstPain - score) / worstPain) * (chart.height - chart.top - chart.bottom);

/** The place of a day between the first and the last one; a single day is in the middle. */
export function xOf(day: number, first: number, last: number): number {
  const width = chart.width - chart.left - chart.right;
  return last === first ? chart.left + width / 2 : chart.left + ((day - first) / (last - first)) * width;
}

export interface Point extends DayScore {
  score: number;
  x: number;
  y: number;
}

/** The points of a line, in pieces: a day without a score interrupts it. */
export function piecesOf(scores: readonly DayScore[], first: number, last: number): Point[][] {
  const pieces: Point[][] = [[]];
  for (const { day, score } of scores) {
    if (score === null) pieces.push([]);
    else pieces.at(-1)?.push({ day, score, x: xOf(day, first, last), y: yOf(score) });
  }
  return pieces.filter((piece) => piece.length > 0);
}

const mostDayNumbers = 8;

/** The days that are written below the chart: all of them, or every second, third … of many. */
export function labeledDays(days: readonly number[]): number[] {
  const step = Math.ceil(days.length / mostDayNumbers);
  return days.filter((_, i) => i % step === 0);
}
