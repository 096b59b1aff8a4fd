import { useLingui } from '@lingui/react/macro';
import { useLanguage } from '#web/kit/i18n.ts';
import { useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Checkbox, TextInput } from '#web/panel/ui/field.tsx';
import css from './queue-settings-form.module.css';
import type { DayDraft } from './week-draft.ts';

interface WeekHoursProps {
  days: readonly DayDraft[];
  onChange: (days: DayDraft[]) => void;
  errorAt: (field: string) => { error: string } | undefined;
}

/** The hours of each weekday in the office's time zone. */
export function WeekHours({ days, onChange, errorAt }: WeekHoursProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const zone = useOfficeZone();
  const foreign = useForeignZone();
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const change = (day: number, what: Partial<DayDraft>) =>
    onChange(days.map((hours, i) => (i === day ? { ...hours, ...what } : hours)));
  const likeMonday = () => onChange(days.map((hours, i) => (i > 0 && i < 5 ? { ...(days[0] ?? hours) } : hours)));
  return (
    <>
      <ul className={css.week}>
        {days.map(({ open, from, to }, day) => {
          // 5 January 2026 is a Monday.
          const weekday = capital(name.format(Date.UTC(2026, 0, 5 + day)));
          return (
            <li key={weekday} className={css.day}>
              <Checkbox
                label={weekday}
                checked={open}
                onChange={(event) => change(day, { open: event.target.checked })}
              />
              {open ? (
                <div className={css.times}>
                  <TextInput
                    type="time"
                    hideLabel
                    label={t`${weekday}: opens`}
                    value={from}
                    {...errorAt(`days.${day}.from`)}
                    onChange={(event) => change(day, { from: event.target.value })}
                  />
                  <span className={css.dash} aria-hidden="true">
                    –
                  </span>
                  <TextInput
                    type="time"
                    hideLabel
                    label={t`${weekday}: closes`}
                    value={to}
                    {...errorAt(`days.${day}.to`)}
                    onChange={(event) => change(day, { to: event.target.value })}
                  />
                </div>
              ) : (
                <span className={css.closed}>{t`Closed`}</span>
              )}
            </li>
          );
        })}
      </ul>
      <div className={css.weekEnd}>
        <Button size="s" onClick={likeMonday}>{t`Tuesday to Friday like Monday`}</Button>
        <span className={css.note}>
          {t`Closing at 12:00 AM means midnight.`} {foreign && t`Times of the office: ${zone}.`}
        </span>
      </div>
    </>
  );
}

const capital = (word: string) => word.charAt(0).toLocaleUpperCase() + word.slice(1);
