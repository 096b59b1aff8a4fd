import { locales, useLanguage } from './i18n.ts';

/** A day of the office (YYYY-MM-DD). */
export function PlainDay({ day }: { day: string }) {
  const format = new Intl.DateTimeFormat(locales[useLanguage()], { dateStyle: 'medium', timeZone: 'UTC' });
  return <time dateTime={day}>{format.format(new Date(`${day}T00:00:00Z`))}</time>;
}
