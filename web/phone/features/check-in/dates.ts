import { locales, type Language } from '#web/kit/i18n.ts';

/** A plain date, `YYYY-MM-DD`, as April 2, 1990. */
export function formatLongDate(date: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** The day by this phone's zone and the server's clock, as `YYYY-MM-DD`. */
export function dayAt(ms: number): string {
  const at = new Date(ms);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
