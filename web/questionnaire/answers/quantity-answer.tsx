import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { feetAndInchesOf, inches } from '#questionnaire/answer-texts/feet-and-inches.ts';
import { labelOfCoding } from '#questionnaire/options.ts';
import type { Coding, Quantity } from '#questionnaire/questionnaire.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { readNumber } from '#web/questionnaire/read-number.ts';
import type { SingleAnswerProps } from '#web/questionnaire/answer-props.ts';
import css from '#web/questionnaire/question.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import fields from '#web/questionnaire/ui/field.module.css';

/** An amount with its unit, or a height in feet and inches. */
export function QuantityAnswer(props: SingleAnswerProps) {
  const { item } = props.place;
  const [isMetric, setIsMetric] = useState(
    () => typeof props.value === 'object' && ((props.value as Quantity).code ?? inches) !== inches,
  );
  if (!item.feetAndInches || isMetric) return <Amount {...props} onUnit={(code) => setIsMetric(code !== inches)} />;
  return <FeetAndInches {...props} onUnit={(code) => setIsMetric(code !== inches)} />;
}

type AmountProps = SingleAnswerProps & { onUnit: (code: string | undefined) => void };

/** Two fields, as Americans say their height. */
function FeetAndInches({ place, value, label, id, describedBy, isWrong, onValue, onUnit }: AmountProps) {
  const { t } = useLingui();
  const { units } = place.item;
  const amount = (typeof value === 'object' ? value : {}) as Quantity;
  const [typed, setTyped] = useState(() => {
    if (typeof amount.value !== 'number') return { feet: '', inches: '' };
    const { feet, inches: rest } = feetAndInchesOf(amount.value);
    return { feet: String(feet), inches: String(rest) };
  });
  const take = (next: typeof typed) => {
    setTyped(next);
    if (next.feet.trim() === '' && next.inches.trim() === '') return onValue(undefined);
    const [feet, rest] = [readNumber(next.feet || '0'), readNumber(next.inches || '0')];
    // Without feet it is a length in inches.
    const isLength = typeof feet === 'number' && typeof rest === 'number' && (rest < 12 || next.feet.trim() === '');
    const unit = units.find(({ code }) => code === inches) ?? {};
    // What is no length stays as it was typed, so that the check refuses it.
    const total = (isLength ? feet * 12 + rest : `${next.feet} ${next.inches}`) as number;
    onValue({ value: total, unit: unit.display ?? inches, ...(unit.system && { system: unit.system }), code: inches });
  };
  const fieldsOf = [
    { part: 'feet', name: t`Feet` },
    { part: 'inches', name: t`Inches` },
  ] as const;
  return (
    <div className={css.amount}>
      {fieldsOf.map(({ part, name }, i) => (
        <label key={part} className={css.length}>
          <span className={css.part}>{name}</span>
          <input
            id={i === 0 ? id : undefined}
            type="text"
            inputMode={part === 'feet' ? 'numeric' : 'decimal'}
            dir="ltr"
            maxLength={5}
            className={fields.input}
            aria-label={label === undefined ? undefined : `${name}, ${label}`}
            aria-describedby={describedBy}
            aria-invalid={isWrong || undefined}
            value={typed[part]}
            onChange={(event) => take({ ...typed, [part]: event.target.value })}
          />
        </label>
      ))}
      {units
        .filter(({ code }) => code !== inches)
        .map(({ code }) => (
          <button
            key={code}
            type="button"
            className={buttons.link}
            onClick={() => {
              onValue(undefined);
              onUnit(code);
            }}
          >
            {t`Enter in ${code ?? ''}`}
          </button>
        ))}
    </div>
  );
}

/** An amount with its unit: a choice if there are several units, a label if there is one. */
function Amount({ place, value, label, id, describedBy, isWrong, onValue, onUnit }: AmountProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { units } = place.item;
  const amount = (typeof value === 'object' ? value : {}) as Quantity;
  const [unit, setUnit] = useState<Coding | undefined>(
    () =>
      units.find(({ code, display }) => (code ?? display) === (amount.code ?? amount.unit)) ??
      // In feet and inches there are two fields.
      units.find(({ code }) => !place.item.feetAndInches || code !== inches),
  );
  const amountText = amount.value === undefined ? '' : String(amount.value);
  const [typed, setTyped] = useState(amountText);
  const shown = readNumber(typed) === amount.value ? typed : amountText;
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
    if (place.item.feetAndInches && units[at]?.code === inches) {
      onValue(undefined);
      return onUnit(inches);
    }
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
