import type { ComponentProps, CSSProperties } from 'react';
import { classNames } from './class-names.ts';
import css from './code-input.module.css';
import { Field, type FieldProps } from './field.tsx';

interface CodeInputProps extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'size' | 'value' | 'onChange'> {
  value: string;
  onChange: (digits: string) => void;
  /** Called once when the last digit was entered. */
  onComplete?: (digits: string) => void;
  length?: number;
  /** A PIN instead of a one-time code: shown as dots, and not filled in by the browser. */
  secret?: boolean;
}

/**
 * Digits in cells: filled in by the phone if possible, pasted with or without spaces. It is one input whose letters are spaced so that each
 * stands in its cell: the caret, the selection and autofill work as in any other.
 */
export function CodeInput({
  label,
  hint,
  error,
  invalid,
  hideLabel,
  value,
  onChange,
  onComplete,
  length = 6,
  secret = false,
  ...rest
}: CodeInputProps) {
  const edit = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, length);
    onChange(digits);
    if (digits.length === length && digits !== value) onComplete?.(digits);
  };
  return (
    <Field label={label} hint={hint} error={error} invalid={invalid} hideLabel={hideLabel}>
      {(control) => (
        <div className={css.frame} dir="ltr">
          <div className={css.code} style={{ '--cells': length } as CSSProperties}>
            <input
              {...rest}
              {...control}
              className={classNames(css.input, secret && css.secret)}
              type="text"
              inputMode="numeric"
              autoComplete={secret ? 'off' : 'one-time-code'}
              autoCorrect="off"
              spellCheck={false}
              value={value}
              onChange={(event) => edit(event.target.value)}
            />
            {Array.from({ length }, (_, cell) => (
              <span
                key={cell}
                aria-hidden
                className={classNames(css.cell, cell === Math.min(value.length, length - 1) && css.next)}
              />
            ))}
          </div>
        </div>
      )}
    </Field>
  );
}
