import { useNow } from '#web/kit/clock.ts';
import { formatDay, formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';

/** A moment by the office's clock: the time of day when it is today's, else the day and the time. */
export function When({ at }: { at: string }) {
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
