import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { labelOfCoding } from '#questionnaire/options.ts';
import type { Coding, Quantity } from '#questionnaire/questionnaire.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { readNumber } from '#web/questionnaire/read-number.ts';
import type { SingleAnswerProps } from '#web/questionnaire/answer-props.ts';
import css from '#web/questionnaire/question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';

/** An amount with its unit: a choice if there are several units, a label if there is one. */
export function QuantityAnswer({ place, value, label, id, describedBy, isWrong, onValue }: SingleAnswerProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { units } = place.item;
  const amount = (typeof value === 'object' ? value : {}) as Quantity;
  const [unit, setUnit] = useState<Coding | undefined>(
    () => units.find(({ code, display }) => (code ?? display) === (amount.code ?? amount.unit)) ?? units[0],
  );
  const said = amount.value === undefined ? '' : String(amount.value);
  const [typed, setTyped] = useState(said);
  const shown = readNumber(typed) === amount.value ? typed : said;
  const [name] = [labelOfCoding(unit ?? {}, language)];

  const take = (text: string, of = unit) => {
    setTyped(text);
    if (text.trim() === '') return onValue(undefined);
    const number = readNumber(text) as number;
    const { system, code, display } = of ?? {};
    onValue({
      value: number,
      ...(of && { unit: display ?? code ?? '' }),
      ...(system !== undefined && { system }),
      ...(code !== undefined && { code }),
    });
  };
  const choose = (at: number) => {
    setUnit(units[at]);
    if (shown !== '') take(shown, units[at]);
  };
  return (
    <div className={css.amount}>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        dir="ltr"
        className={fields.input}
        aria-label={units.length === 1 ? `${label ?? ''} (${name})` : label}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        value={shown}
        onChange={(event) => take(event.target.value)}
      />
      {units.length === 1 && <span aria-hidden="true">{name}</span>}
      {units.length > 1 && (
        <select
          className={fields.input}
          aria-label={t`Unit`}
          value={unit ? units.indexOf(unit) : 0}
          onChange={(event) => choose(Number(event.target.value))}
        >
          {units.map((one, i) => (
            <option key={i} value={i}>
              {labelOfCoding(one, language)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
