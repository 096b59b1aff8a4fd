import { textsPerHour } from '#server/features/texting/index.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { OfficeRow } from '#server/office-row.ts';

const minuteMs = 60_000;
const night = { from: '21:00', until: '08:00' } as const;

/** Texts to a list use half of the practice's texts per hour at most, so that the front desk can always text somebody. */
export function textsPerMinute(office: Pick<OfficeRow, 'settings'>): number {
  return Math.max(1, Math.floor(textsPerHour(office) / 2 / 60));
}

interface Spread {
  perMinute: number;
  timeZone: string;
  /** Texts to lists that already go out in a minute (minutes since 1970). */
  taken: ReadonlyMap<number, number>;
}

/**
 * When each text goes out (ms since 1970): at the wanted time, or in the first minute after it that is not full. A text that has to wait
 * does not wait into the night: after 9 PM at the office it goes out the next morning.
 */
export function spreadTexts(wanted: readonly number[], { perMinute, timeZone, taken }: Spread): number[] {
  const used = new Map(taken);
  const isFull = (minute: number) => (used.get(minute) ?? 0) >= perMinute;
  const endOfNight = nightsOf(timeZone);
  /** The minute to try after a full one. Without these shortcuts, each of 10,000 texts would try all minutes before its own. */
  const next = new Map<number, number>();
  const firstFree = (wantedMinute: number): number => {
    const tried: number[] = [];
    let minute = wantedMinute;
    while (isFull(minute)) {
      tried.push(minute);
      const after = next.get(minute) ?? minute + 1;
      minute = endOfNight(after) ?? after;
    }
    for (const full of tried) next.set(full, minute);
    return minute;
  };

  const times = Array.from<number>({ length: wanted.length });
  const inOrder = [...wanted.entries()].sort(([, a], [, b]) => a - b);
  for (const [row, time] of inOrder) {
    const minute = firstFree(Math.floor(time / minuteMs));
    used.set(minute, (used.get(minute) ?? 0) + 1);
    times[row] = Math.max(time, minute * minuteMs);
  }
  return times;
}

/** Returns a function: the first minute of the morning after a minute in the night, null for a minute of the day. */
export function nightsOf(timeZone: string): (minute: number) => number | null {
  // Days begin at a quarter of an hour in every time zone.
  const byQuarter = new Map<number, number | null>();
  return (minute) => {
    const quarter = Math.floor(minute / 15);
    let morning = byQuarter.get(quarter);
    if (morning === undefined) byQuarter.set(quarter, (morning = morningAfter(quarter * 15 * minuteMs, timeZone)));
    return morning;
  };
}

function morningAfter(at: number, timeZone: string): number | null {
  const day = dayOf(new Date(at), timeZone);
  const morning = instantOf(day, night.until, timeZone).getTime();
  if (at < morning) return morning / minuteMs;
  const evening = instantOf(day, night.from, timeZone).getTime();
  if (at < evening) return null;
  const tomorrow = dayOf(new Date(evening + 12 * 60 * minuteMs), timeZone);
  return instantOf(tomorrow, night.until, timeZone).getTime() / minuteMs;
}
