import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { SingleAnswerProps } from '#web/questionnaire/answer-props.ts';
import { DateAnswer } from '#web/questionnaire/dates/date-answer.tsx';
import css from '#web/questionnaire/question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';
import { instantOf } from './instant.ts';

export function TimeAnswer({ value, id, label, describedBy, isWrong, onValue }: SingleAnswerProps) {
  return (
    <input
      id={id}
      type="time"
      className={`${fields.input} ${css.time}`}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isWrong || undefined}
      value={typeof value === 'string' ? value.slice(0, 5) : ''}
      onChange={({ target }) => onValue(target.value === '' ? undefined : `${target.value}:00`.slice(0, 8))}
    />
  );
}

/** A day, and the time where one knows it. */
export function DateTimeAnswer(props: SingleAnswerProps) {
  const { t } = useLingui();
  const { value, onValue } = props;
  const savedTime = typeof value === 'string' ? value : '';
  const [day = '', rest = ''] = savedTime.split(/[T ]/);
  const [time, setTime] = useState(rest.slice(0, 5));
  const take = (newDay: string, newTime: string) => {
    setTime(newTime);
    if (newDay === '') onValue(undefined);
    else onValue(newTime === '' ? newDay : instantOf(newDay, newTime));
  };
  return (
    <>
      <DateAnswer {...props} value={day} onValue={(date) => take(typeof date === 'string' ? date : '', time)} />
      <TimeAnswer
        {...props}
        id={`${props.id}-time`}
        label={t`Time`}
        value={time}
        onValue={(at) => take(day, typeof at === 'string' ? at.slice(0, 5) : '')}
      />
    </>
  );
}
