import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import css from './code-input.module.css';
import { controlClass, Field, type FieldProps } from './field.tsx';

interface CodeInputProps extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'size' | 'value' | 'onChange'> {
  value: string;
  onChange: (digits: string) => void;
  /** Called once when the last digit was entered. */
  onComplete?: (digits: string) => void;
  length?: number;
}

/** A one-time code: digits only, filled in by the phone if possible, pasted with or without spaces. */
export function CodeInput({
  label,
  hint,
  error,
  hideLabel,
  value,
  onChange,
  onComplete,
  length = 6,
  ...rest
}: CodeInputProps) {
  const edit = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, length);
    onChange(digits);
    if (digits.length === length && digits !== value) onComplete?.(digits);
  };
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <input
          {...rest}
          {...control}
          className={classNames(controlClass('l'), css.code)}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          value={value}
          onChange={(event) => edit(event.target.value)}
        />
      )}
    </Field>
  );
}
