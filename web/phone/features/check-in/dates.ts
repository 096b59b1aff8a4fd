import { locales, type Language } from '#web/kit/i18n.ts';

/** A plain date, `YYYY-MM-DD`, as April 2, 1990. */
export function formatLongDate(date: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** A time of the day, `HH:MM` (24:00 is midnight), as 8:00 AM. */
export function formatHour(hour: string, language: Language): string {
  const [hours, minutes] = hour.split(':').map(Number);
  const format = new Intl.DateTimeFormat(locales[language], { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return format.format(Date.UTC(2000, 0, 1, hours, minutes));
}

/** An instant in the office's time zone as Monday, March 2. */
export function formatWeekday(at: string, language: Language, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone,
  });
  return format.format(new Date(at));
}

/** The day by this phone's zone and the server's clock, as `YYYY-MM-DD`. */
export function dayAt(ms: number): string {
  const at = new Date(ms);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
