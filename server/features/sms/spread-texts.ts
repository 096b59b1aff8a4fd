import { listTextsPerHour, type EndOfQuiet } from '#server/features/texting/index.ts';
import type { OfficeRow } from '#server/office-row.ts';

const minuteMs = 60_000;
/** Texts that find no time within so many days are not sent. */
const mostDaysAhead = 30;
export const minuteOf = (at: number): number => Math.floor(at / minuteMs);

/** How many texts to lists go out in a minute. */
export function textsPerMinute(office: Pick<OfficeRow, 'settings'>): number {
  return Math.max(1, Math.floor(listTextsPerHour(office) / 60));
}

interface WantedText {
  phone: string;
  /** When it should go out, ms since 1970. */
  wantedAt: number;
}

interface Spread {
  perMinute: number;
  /** Texts to lists that already go out in a minute (minutes since 1970). */
  taken: ReadonlyMap<number, number>;
  endOfQuiet: EndOfQuiet;
  /** Texts that are wanted in quiet hours wait until their end. The demo only warns. */
  holds: boolean;
}

/** The first moment that is too late for a text wanted at `wantedAt` (ms since 1970). */
export const tooLateFor = (wantedAt: number): number => (minuteOf(wantedAt) + mostDaysAhead * 24 * 60) * minuteMs;

/**
 * When each text goes out (ms since 1970): at the wanted time, or in the first minute after it that is not full. A text that has to wait
 * does not wait into the quiet hours: it goes out after them, unless it was wanted in them where they only warn. `tooLateFor` its wanted time if all minutes before that are full or quiet.
 */
export function spreadTexts<Text extends WantedText>(
  texts: readonly Text[],
  { perMinute, taken, endOfQuiet, holds }: Spread,
): (Text & { sendAt: number })[] {
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
  /** The minute that the last waiting text of an area code got: the next one gets no earlier one. Quiet hours may end for a minute a day only. */
  const lastOf = new Map<string, number>();
  const firstFree = (wanted: number, phone: string): number => {
    const areaCode = phone.slice(0, 5);
    const tooLate = minuteOf(tooLateFor(wanted * minuteMs));
    const quietEnd = endOfQuiet(wanted, phone);
    const goesOutAtNight = !holds && quietEnd !== null;
    let minute = holds ? (quietEnd ?? wanted) : wanted;
    if (!isFull(minute)) return minute;
    minute = Math.max(minute, lastOf.get(areaCode) ?? 0);
    while (minute < tooLate) {
      const free = firstNotFull(minute);
      const end = goesOutAtNight ? null : endOfQuiet(free, phone);
      if (end === null || free === minute) {
        lastOf.set(areaCode, free);
        return Math.min(free, tooLate);
      }
      minute = end;
    }
    lastOf.set(areaCode, minute);
    return tooLate;
  };

  const spread = texts.map((text) => ({ ...text, sendAt: text.wantedAt }));
  for (const text of spread.toSorted((a, b) => a.wantedAt - b.wantedAt)) {
    const minute = firstFree(minuteOf(text.wantedAt), text.phone);
    used.set(minute, (used.get(minute) ?? 0) + 1);
    text.sendAt = Math.max(text.wantedAt, minute * minuteMs);
  }
  return spread;
}
