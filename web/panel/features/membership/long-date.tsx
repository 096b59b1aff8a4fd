import { locales, useLanguage } from '#web/kit/i18n.ts';
import { useOfficeZone } from '#web/kit/format.tsx';

/** A day in the office's time zone: March 2, 2026. */
export function LongDate({ seconds, at }: { seconds: number; at?: never } | { at: string; seconds?: never }) {
  const language = useLanguage();
  const timeZone = useOfficeZone();
  const date = seconds === undefined ? new Date(at) : new Date(seconds * 1000);
  const text = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', ...(timeZone && { timeZone }) }).format(
    date,
  );
  return <time dateTime={date.toISOString()}>{text}</time>;
}
