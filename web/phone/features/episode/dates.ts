import { locales, type Language } from '#web/kit/i18n.ts';

/** A day of the practice (YYYY-MM-DD) as Monday, March 2. */
export function formatPlainDay(day: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${day}T00:00:00Z`));
}

/** A time of the day, HH:MM, as 9:00 AM. */
export function formatWallTime(time: string, language: Language): string {
  const [hours, minutes] = time.split(':').map(Number);
  const format = new Intl.DateTimeFormat(locales[language], {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  return format.format(Date.UTC(2000, 0, 1, hours, minutes));
}
