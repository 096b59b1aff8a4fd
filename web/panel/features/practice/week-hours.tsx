import { useLingui } from '@lingui/react/macro';
import { CloseIcon } from '#web/icons/close.tsx';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Checkbox, TextInput } from '#web/panel/ui/field.tsx';
import css from './opening-hours.module.css';
import { usualBreak, type DayDraft } from './week-draft.ts';

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
  const name = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' });
  const change = (day: number, what: Partial<DayDraft>) =>
    onChange(days.map((hours, i) => (i === day ? { ...hours, ...what } : hours)));
  const likeMonday = () => onChange(days.map((hours, i) => (i > 0 && i < 5 ? { ...(days[0] ?? hours) } : hours)));
  return (
    <>
      <ul className={css.week}>
        {days.map((hours, day) => {
          // 5 January 2026 is a Monday.
          const weekday = capital(name.format(Date.UTC(2026, 0, 5 + day)));
          return (
            <li key={weekday} className={css.day}>
              <Checkbox
                label={weekday}
                checked={hours.open}
                onChange={(event) => change(day, { open: event.target.checked })}
              />
              {hours.open ? (
                <DayHours
                  weekday={weekday}
                  hours={hours}
                  onChange={(what) => change(day, what)}
                  errorAt={(field) => errorAt(`days.${day}.${field}`)}
                />
              ) : (
                <span className={css.closed}>{t`Closed`}</span>
              )}
            </li>
          );
        })}
      </ul>
      <div className={css.weekEnd}>
        <Button size="s" onClick={likeMonday}>{t`Copy Monday to Tue–Fri`}</Button>
        <span className={css.note}>
          {t`Closing at 12:00 AM means midnight.`} {foreign && t`Times are in your practice’s time zone: ${zone}.`}
        </span>
      </div>
    </>
  );
}

interface DayHoursProps {
  weekday: string;
  hours: DayDraft;
  onChange: (what: Partial<DayDraft>) => void;
  errorAt: (field: string) => { error: string } | undefined;
}

/** When a day begins and ends, and its break. */
function DayHours({ weekday, hours: { from, to, pause }, onChange, errorAt }: DayHoursProps) {
  const { t } = useLingui();
  return (
    <div className={css.hours}>
      <Times
        labels={[t`${weekday}: opens`, t`${weekday}: closes`]}
        times={{ from, to }}
        onChange={onChange}
        errors={[errorAt('from'), errorAt('to')]}
      />
      {pause ? (
        <div className={css.pause}>
          <span className={css.pauseName}>{t`Break`}</span>
          <Times
            labels={[t`${weekday}: break starts`, t`${weekday}: break ends`]}
            times={pause}
            onChange={(what) => onChange({ pause: { ...pause, ...what } })}
            errors={[errorAt('pause.from'), errorAt('pause.to')]}
          />
          <IconButton
            label={t`Remove break: ${weekday}`}
            icon={CloseIcon}
            variant="subtle"
            onClick={() => onChange({ pause: null })}
          />
        </div>
      ) : (
        <Button
          size="s"
          variant="subtle"
          aria-label={t`Add break: ${weekday}`}
          onClick={() => onChange({ pause: { ...usualBreak } })}
        >
          {t`Add break`}
        </Button>
      )}
    </div>
  );
}

interface TimesProps {
  labels: readonly [from: string, to: string];
  times: { from: string; to: string };
  onChange: (what: { from?: string; to?: string }) => void;
  errors: readonly [from: { error: string } | undefined, to: { error: string } | undefined];
}

function Times({ labels, times, onChange, errors }: TimesProps) {
  return (
    <div className={css.times}>
      <TextInput
        type="time"
        hideLabel
        label={labels[0]}
        value={times.from}
        {...errors[0]}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <span className={css.dash} aria-hidden="true">
        –
      </span>
      <TextInput
        type="time"
        hideLabel
        label={labels[1]}
        value={times.to}
        {...errors[1]}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </div>
  );
}

const capital = (word: string) => word.charAt(0).toLocaleUpperCase() + word.slice(1);
