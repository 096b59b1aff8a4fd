import { useState, type ChangeEvent } from 'react';
import type { Value } from '#questionnaire/values.ts';
import { readNumber } from './read-number.ts';
import type { SingleAnswerProps } from './answer-props.ts';
import fields from '#web/questionnaire/ui/field.module.css';

/** Words, a number, an address: one field, with the keyboard that fits. */
export function TextAnswer({ place, value, label, id, describedBy, isWrong, onValue }: SingleAnswerProps) {
  const { item } = place;
  const isNumber = item.type === 'integer' || item.type === 'decimal';
  const text = textOf(value);
  const [typed, setTyped] = useState(text);
  // Keeps the text as typed ("1." on the way to "1.5") as long as its value is the same.
  const shown = isNumber && readNumber(typed) === value ? typed : text;

  const take = (text: string) => {
    setTyped(text);
    if (text.trim() === '') onValue(undefined);
    else if (isNumber) onValue(readNumber(text));
    else if (item.type === 'choice' || item.type === 'reference') onValue({ display: text });
    else onValue(text);
  };
  const field = {
    id,
    value: shown,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isWrong || undefined,
    'aria-required': item.required || undefined,
    className: fields.input,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => take(event.target.value),
  };
  if (item.type === 'text') return <textarea {...field} className={fields.long} rows={3} dir="auto" />;
  if (isNumber)
    return <input {...field} type="text" inputMode={item.type === 'integer' ? 'numeric' : 'decimal'} dir="ltr" />;
  if (item.type === 'url')
    return (
      <input
        {...field}
        type="url"
        dir="ltr"
        autoCapitalize="off"
        onBlur={() => /^[\w-]+(\.[\w-]+)+/.test(shown) && take(`https://${shown}`)}
      />
    );
  return <input {...field} type="text" dir="auto" />;
}

function textOf(value: Value | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return ('display' in value && value.display) || '';
  return String(value);
}
