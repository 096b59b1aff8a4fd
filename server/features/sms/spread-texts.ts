import { textsPerHour } from '#server/features/texting/index.ts';
import type { OfficeRow } from '#server/office-row.ts';

const minuteMs = 60_000;

/** Texts to a list use half of the practice's texts per hour at most, so that the front desk can always text somebody. */
export function textsPerMinute(office: Pick<OfficeRow, 'settings'>): number {
  return Math.max(1, Math.floor(textsPerHour(office) / 2 / 60));
}

interface Spread {
  perMinute: number;
  /** Texts to lists that already go out in a minute (minutes since 1970). */
  taken: ReadonlyMap<number, number>;
  /** The end of the quiet hours in which a minute is, for the person of a row; null outside of them. */
  endOfQuiet: (minute: number, row: number) => number | null;
  /** Texts that are wanted in quiet hours wait until their end. The demo only warns. */
  holds: boolean;
}

/**
 * When each text goes out (ms since 1970): at the wanted time, or in the first minute after it that is not full. A text that has to wait
 * does not wait into the quiet hours: it goes out after them.
 */
export function spreadTexts(wanted: readonly number[], { perMinute, taken, endOfQuiet, holds }: Spread): number[] {
  const used = new Map(taken);
  const isFull = (minute: number) => (used.get(minute) ?? 0) >= perMinute;
  /** The minute to try after a full one. Without these shortcuts, each of 10,000 texts would try all minutes before its own. */
  const next = new Map<number, number>();
  const firstNotFull = (from: number): number => {
    const tried: number[] = [];
    let minute = from;
    while (isFull(minute)) {
      tried.push(minute);
      minute = next.get(minute) ?? minute + 1;
    }
    for (const full of tried) next.set(full, minute);
    return minute;
  };
  const firstFree = (wantedMinute: number, row: number): number => {
    let minute = holds ? (endOfQuiet(wantedMinute, row) ?? wantedMinute) : wantedMinute;
    for (;;) {
      const free = firstNotFull(minute);
      if (free === minute) return free;
      const end = endOfQuiet(free, row);
      if (end === null) return free;
      minute = end;
    }
  };

  const times = Array.from<number>({ length: wanted.length });
  const inOrder = [...wanted.entries()].sort(([, a], [, b]) => a - b);
  for (const [row, time] of inOrder) {
    const minute = firstFree(Math.floor(time / minuteMs), row);
    used.set(minute, (used.get(minute) ?? 0) + 1);
    times[row] = Math.max(time, minute * minuteMs);
  }
  return times;
}
