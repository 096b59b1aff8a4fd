import { useLingui } from '@lingui/react/macro';
import { useId, type ReactNode } from 'react';
import { useLanguage } from '#web/kit/i18n.ts';
import type { BirthdayParts } from './birthday.ts';
import css from './birthday-input.module.css';
import { classNames } from './class-names.ts';
import { FieldNotes, Select, TextInput } from './field.tsx';

interface BirthdayInputProps {
  legend: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  value: BirthdayParts;
  onChange: (parts: BirthdayParts) => void;
  size?: 'm' | 'l';
  /** False for somebody else's birthday: the browser then does not offer the owner's. */
  own?: boolean;
}

/** Date of birth in three parts, the month by its name: 03/02 would be two different days in English and Spanish. */
export function BirthdayInput({ legend, hint, error, value, onChange, size = 'm', own = true }: BirthdayInputProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const monthName = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const months = Array.from({ length: 12 }, (_, i) => monthName.format(new Date(Date.UTC(2000, i, 1))));
  const invalid = error !== undefined;
  const digits = (text: string, most: number) => text.replace(/\D/g, '').slice(0, most);
  const complete = (part: string) => (own ? `bday-${part}` : 'off');

  const month = (
    <Select
      key="month"
      label={t`Month`}
      size={size}
      value={value.month}
      invalid={invalid}
      autoComplete={complete('month')}
      onChange={(event) => onChange({ ...value, month: event.target.value })}
    >
      <option value="">{t`Month`}</option>
      {months.map((name, i) => (
        <option key={name} value={String(i + 1)}>
          {name}
        </option>
      ))}
    </Select>
  );
  const day = (
    <TextInput
      key="day"
      label={t`Day`}
      size={size}
      value={value.day}
      invalid={invalid}
      inputMode="numeric"
      autoComplete={complete('day')}
      onChange={(event) => onChange({ ...value, day: digits(event.target.value, 2) })}
    />
  );

  return (
    <fieldset className={css.birthday} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className={css.legend}>{legend}</legend>
      <div className={classNames(css.parts, language === 'es' && css.dayFirst)}>
        {language === 'es' ? [day, month] : [month, day]}
        <TextInput
          label={t`Year`}
          size={size}
          value={value.year}
          invalid={invalid}
          inputMode="numeric"
          autoComplete={complete('year')}
          onChange={(event) => onChange({ ...value, year: digits(event.target.value, 4) })}
        />
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  );
}
