import { locales, type Language } from '#web/kit/i18n.ts';

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
  const shown = format.format(new Date(at));
  // In a Spanish sentence ("el domingo 22 de noviembre") there is no comma.
  return language === 'es' ? shown.replace(',', '') : shown;
}
