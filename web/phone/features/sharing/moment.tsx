import { useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { locales, useLanguage } from '#web/kit/i18n.ts';

/** A moment by the office's clock with its day and year: what is shared is read, and printed, on other days too. */
export function OpeningTime({ at }: { at: string }) {
  const language = useLanguage();
  const timeZone = useOfficeZone();
  const zone = useForeignZone();
  const clock = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  });
  return (
    <time dateTime={at}>
      <bdi dir="ltr">{clock.format(new Date(at))}</bdi> {zone}
    </time>
  );
}
