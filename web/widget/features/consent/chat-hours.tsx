import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { shownReplyTime, type ChatFront } from '#contract/website-chat.ts';
import { locales, useLanguage, type Language } from '#web/kit/i18n.ts';
import css from './consent-page.module.css';

/** When somebody answers today, when next, and how soon: by the practice's clock, which is named if the visitor's differs. */
export function ChatHours({ front }: { front: ChatFront }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { isOpen, hoursToday, nextOpening, timeZone, expectedReplyMinutes, now } = front;
  const zone = foreignZone(timeZone, now, language);
  const withZone = (time: string) => (zone === undefined ? time : `${time} ${zone}`);
  const open = hoursToday && formatHour(hoursToday.open, language);
  const close = hoursToday && withZone(formatHour(hoursToday.close, language));
  const isAllDay = hoursToday?.open === '00:00' && hoursToday.close === '24:00';
  const next = nextOpening && withZone(formatMoment(nextOpening, language, timeZone));
  return (
    <div className={css.hours}>
      {isAllDay && <p>{t`Hours today: all day`}</p>}
      {!isAllDay && open && close && <p>{t`Hours today: ${open} – ${close}`}</p>}
      {!hoursToday && <p>{t`We’re closed today.`}</p>}
      {!isOpen && next && <p>{t`You can write now. We’ll answer starting ${next}.`}</p>}
      {isOpen && expectedReplyMinutes !== null && <p>{replyTime(expectedReplyMinutes)}</p>}
    </div>
  );

  function replyTime(minutes: number): string {
    const { value, unit } = shownReplyTime(minutes);
    return unit === 'minute'
      ? t`We usually answer within ${plural(value, { one: '# minute', other: '# minutes' })}.`
      : t`We usually answer within ${plural(value, { one: '# hour', other: '# hours' })}.`;
  }
}

/** A time of the day, `HH:MM` (24:00 is midnight), as 8:00 AM. */
function formatHour(hour: string, language: Language): string {
  const [hours, minutes] = hour.split(':').map(Number);
  const format = new Intl.DateTimeFormat(locales[language], { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return format.format(Date.UTC(2000, 0, 1, hours, minutes));
}

function formatMoment(at: string, language: Language, timeZone: string): string {
  const options = { weekday: 'long', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(locales[language], { ...options, timeZone }).format(new Date(at));
}

/** The short name of the practice's time zone, such as EST; undefined if the visitor's clock shows the same time. */
function foreignZone(timeZone: string, now: string, language: Language): string | undefined {
  const at = new Date(now);
  const clock = (zone?: string) =>
    new Intl.DateTimeFormat('en', { hour: 'numeric', minute: 'numeric', day: 'numeric', timeZone: zone }).format(at);
  if (clock(timeZone) === clock()) return undefined;
  const named = new Intl.DateTimeFormat(locales[language], { hour: 'numeric', timeZone, timeZoneName: 'short' });
  return named.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
}
