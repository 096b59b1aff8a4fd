import { useLingui } from '@lingui/react/macro';
import { useNow } from '#web/kit/clock.ts';
import { formatDay, formatFullDay, formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './form-time.module.css';
import { dayOf } from '#web/kit/office-clock.ts';
import { formatFormTime } from './format-form-time.ts';

const dayMs = 86_400_000;

/** Returns a function that names the office's day of an instant: Today, Yesterday, Mon, Mar 2, and in another year Mar 2, 2025. */
export function useDayName(): (at: string) => string {
  const { t } = useLingui();
  const zone = useOfficeZone();
  const language = useLanguage();
  const now = useNow();
  const today = dayOf(now, zone);
  const yesterday = new Date(Date.parse(today) - dayMs).toISOString().slice(0, 10);
  return (at) => {
    const day = dayOf(at, zone);
    if (day === today) return t`Today`;
    if (day === yesterday) return t`Yesterday`;
    return day.slice(0, 4) === today.slice(0, 4) ? formatDay(at, language, zone) : formatFullDay(at, language, zone);
  };
}

/** Returns a function that formats a time as the panel does: "Today, 7:42 PM". */
export function useFormMoment(): (at: string) => string {
  const zone = useOfficeZone();
  const language = useLanguage();
  const dayName = useDayName();
  return (at) => `${dayName(at)}, ${formatTime(at, language, zone)}`;
}

/** When a form was filed. On paper and for machines it is the specification's `YYYY-MM-DD hh:mm hs`. */
export function FormTime({ at }: { at: string }) {
  const moment = useFormMoment()(at);
  const stamp = formatFormTime(at, useOfficeZone());
  return (
    // "hs" would make it an invalid machine-readable time.
    <time dateTime={stamp.replace(' hs', '')}>
      <bdi dir="ltr" className={css.onScreen}>
        {moment}
      </bdi>
      <bdi dir="ltr" className={css.onPaper}>
        {stamp}
      </bdi>
    </time>
  );
}
