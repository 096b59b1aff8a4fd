import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { longestDayName, mostClosedDays, type ClosedDay } from '#contract/practice/opening-hours.ts';
import { CalendarIcon } from '#web/icons/calendar.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { serverNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { dayOf } from '#web/kit/office-clock.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { holidaysAfter } from './holidays.ts';
import css from './opening-hours.module.css';

interface ClosedDaysProps {
  days: readonly ClosedDay[];
  onChange: (days: ClosedDay[]) => void;
  errorAt: (field: string) => { error: string } | undefined;
}

/** Days on which the office is closed, such as holidays. */
export function ClosedDays({ days, onChange, errorAt }: ClosedDaysProps) {
  const { t } = useLingui();
  const today = dayOf(serverNow(), useOfficeZone());
  const group = useRef<HTMLFieldSetElement>(null);
  const listed = new Set(days.map(({ day }) => day));
  const missing = holidaysAfter(today).filter(({ day }) => !listed.has(day));
  const change = (index: number, what: Partial<ClosedDay>) =>
    onChange(days.map((closed, i) => (i === index ? { ...closed, ...what } : closed)));
  const add = () => {
    onChange([...days, { day: '', name: '' }]);
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  return (
    <fieldset ref={group} className={css.closedDays}>
      <legend className={css.legend}>{t`Closed on these days`}</legend>
      <p className={css.note}>{t`Holidays and other days off. Nobody can check in, and auto-invite is paused.`}</p>
      {days.length > 0 && (
        <ul className={css.closedList}>
          {days.map(({ day, name }, i) => (
            // A day has no key of its own while it is typed.
            <li key={i} className={css.closedDay}>
              <TextInput
                type="date"
                label={t`Date`}
                max="9999-12-31"
                value={day}
                {...errorAt(`closedDays.${i}.day`)}
                onChange={(event) => change(i, { day: event.target.value })}
              />
              <TextInput
                label={t`Name (optional)`}
                autoComplete="off"
                maxLength={longestDayName}
                value={name}
                onChange={(event) => change(i, { name: event.target.value })}
              />
              <IconButton
                label={name === '' ? t`Remove this day` : t`Remove ${name}`}
                icon={CloseIcon}
                variant="subtle"
                onClick={() => onChange(days.filter((_, other) => other !== i))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={css.weekEnd}>
        <Button size="s" icon={PlusIcon} locked={days.length >= mostClosedDays} onClick={add}>
          {t`Add a day`}
        </Button>
        {missing.length > 0 && days.length + missing.length <= mostClosedDays && (
          <Button
            size="s"
            icon={CalendarIcon}
            onClick={() => onChange([...days, ...missing.map(({ day, name }) => ({ day, name: t(name) }))])}
          >
            {t`Add US holidays`}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
