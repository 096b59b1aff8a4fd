import { wallTimeAt } from '#web/kit/office-clock.ts';

/** A time in the office's time zone, in both languages: `YYYY-MM-DD hh:mm hs`. */
export const formatFormTime = (at: string | number, timeZone: string | undefined): string =>
  `${wallTimeAt(at, timeZone).replace('T', ' ')} hs`;
