import { useId, type ReactNode } from 'react';
import { CheckIcon } from '#web/icons/check.tsx';
import css from './preferences.module.css';

interface ChoicesProps<Value extends string> {
  /** The name of the group; `hideLegend` if the card's title shows it already. */
  legend: string;
  hideLegend?: boolean;
  choices: readonly { value: Value; label: ReactNode; hint?: ReactNode; lang?: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A choice of one option. Applies at once. */
export function Choices<Value extends string>({ legend, hideLegend, choices, value, onChange }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset className={css.choices} aria-label={hideLegend ? legend : undefined}>
      {!hideLegend && <legend className={css.choicesLegend}>{legend}</legend>}
      {choices.map(({ value: own, label, hint, lang }) => (
        <label key={own} className={css.choice} lang={lang}>
          <input type="radio" name={name} value={own} checked={own === value} onChange={() => onChange(own)} />
          <span>{label}</span>
          {own === value ? <CheckIcon /> : <span />}
          {hint !== undefined && <span className={css.choiceHint}>{hint}</span>}
        </label>
      ))}
    </fieldset>
  );
}
