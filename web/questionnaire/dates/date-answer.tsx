import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useLanguage } from '#web/kit/i18n.ts';
import { dateOf, longDate, partsOf, type DateParts } from './dates.ts';
import type { SingleAnswerProps } from '#web/questionnaire/answer-props.ts';
import css from '#web/questionnaire/question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';

/** Month, day and year, or only as much of them as the question asks for, each a field of its own: typed with the number keys, never mixed up, and vague where one only knows the year. */
export function DateAnswer({ place, value, id, label, describedBy, isWrong, onValue }: SingleAnswerProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const savedDate = typeof value === 'string' ? value.slice(0, 10) : '';
  const [typed, setTyped] = useState<DateParts>(() => partsOf(savedDate));
  const shown = dateOf(typed) === savedDate ? typed : partsOf(savedDate);
  const take = (part: Partial<DateParts>) => {
    const parts = { ...shown, ...part };
    setTyped(parts);
    onValue(dateOf(parts) || undefined);
  };
  const { datePrecision } = place.item;
  const dateFields = [
    { part: 'month', name: t`Month`, size: 2 },
    { part: 'day', name: t`Day`, size: 2 },
    { part: 'year', name: t`Year`, size: 4 },
  ] as const;
  const shownFields = dateFields.filter(
    ({ part }) => part === 'year' || (datePrecision !== 'year' && (part === 'month' || datePrecision === 'day')),
  );
  return (
    <div>
      <div className={css.date}>
        {shownFields.map(({ part, name, size }, i) => (
          <label key={part} className={size === 4 ? css.year : undefined}>
            <span className={css.part}>{name}</span>
            <input
              id={i === 0 ? id : undefined}
              type="text"
              inputMode="numeric"
              dir="ltr"
              autoComplete="off"
              className={fields.input}
              maxLength={size}
              aria-label={label === undefined ? undefined : `${name}, ${label}`}
              aria-describedby={describedBy}
              aria-invalid={isWrong || undefined}
              value={shown[part]}
              onChange={(event) => take({ [part]: event.target.value })}
            />
          </label>
        ))}
      </div>
      <p className={fields.hint}>{longDate(savedDate, language)}</p>
    </div>
  );
}
