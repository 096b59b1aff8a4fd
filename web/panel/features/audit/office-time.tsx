import { formatDay, formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { locales, useLanguage, type Language } from '#web/kit/i18n.ts';

/** A time in the office's time zone, with seconds, because the order matters. */
export function OfficeTime({
  at,
  withDay = false,
  seconds = false,
}: {
  at: string;
  withDay?: boolean;
  seconds?: boolean;
}) {
  const zone = useOfficeZone();
  const language = useLanguage();
  const time = seconds ? withSeconds(at, language, zone) : formatTime(at, language, zone);
  return (
    <time dateTime={at}>
      <bdi dir="ltr">{withDay ? `${formatDay(at, language, zone)}, ${time}` : time}</bdi>
    </time>
  );
}

/** A full date with the year: an audit log is read years later too. */
export function useDayName(): (at: string) => string {
  const zone = useOfficeZone();
  const language = useLanguage();
  const day = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'full',
    ...(zone && { timeZone: zone }),
  });
  return (at) => day.format(new Date(at));
}

function withSeconds(at: string, language: Language, zone: string | undefined): string {
  return new Intl.DateTimeFormat(locales[language], {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    ...(zone && { timeZone: zone }),
  }).format(new Date(at));
}
