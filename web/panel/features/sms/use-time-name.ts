import { useNow } from '#web/kit/clock.ts';
import { formatDay, formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { dayOf } from '#web/kit/office-clock.ts';

/** A time in the office's time zone, with the day unless it is today. */
export function useTimeName(): (at: string) => string {
  const zone = useOfficeZone();
  const language = useLanguage();
  const now = useNow();
  return (at) => {
    if (at === '') return '';
    const time = formatTime(at, language, zone);
    return dayOf(Date.parse(at), zone) === dayOf(now, zone) ? time : `${formatDay(at, language, zone)}, ${time}`;
  };
}
