import { useNow } from './clock.ts';
import { formatDay, formatTime, useOfficeZone } from './format.tsx';
import { useLanguage } from './i18n.ts';

/** A time in the office's time zone: the time of day if it is today, else day and time. */
export function OfficeMoment({ at }: { at: string }) {
  const zone = useOfficeZone();
  const language = useLanguage();
  const now = useNow();
  const day = formatDay(at, language, zone);
  const time = formatTime(at, language, zone);
  const isToday = day === formatDay(now, language, zone);
  return (
    <time dateTime={at}>
      <bdi dir="ltr">{isToday ? time : `${day}, ${time}`}</bdi>
    </time>
  );
}
