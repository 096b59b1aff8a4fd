import type { ChangeEvent, ComponentProps } from 'react';
import { controlClass, Field, type FieldProps } from './field.tsx';
import { caretAfter, editPhone, maskPhone } from './phone-mask.ts';

interface PhoneInputProps extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'size' | 'value' | 'onChange'> {
  /** Up to ten digits, without country code. */
  value: string;
  onChange: (digits: string) => void;
  size?: 'm' | 'l';
}

function deletingIn(inputType: string): 'backward' | 'forward' | undefined {
  if (/^delete.*Backward/.test(inputType)) return 'backward';
  return /^delete.*Forward/.test(inputType) ? 'forward' : undefined;
}

/** A US mobile number, shown as (xxx) xxx-xxxx while it is typed. */
export function PhoneInput({ label, hint, error, hideLabel, value, onChange, size, ...rest }: PhoneInputProps) {
  const edit = (event: ChangeEvent<HTMLInputElement>) => {
    const { inputType = '' } = event.nativeEvent as InputEvent;
    const input = event.target;
    const next = editPhone(value, input.value, input.selectionStart ?? input.value.length, deletingIn(inputType));
    const masked = maskPhone(next.digits);
    const at = caretAfter(masked, next.caret);
    // Set here and not by React, which would move the caret to the end.
    input.value = masked;
    input.setSelectionRange(at, at);
    if (next.digits !== value) onChange(next.digits);
  };

  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <input
          autoComplete="tel-national"
          {...rest}
          {...control}
          type="tel"
          inputMode="tel"
          dir="ltr"
          className={controlClass(size)}
          value={maskPhone(value)}
          onChange={edit}
        />
      )}
    </Field>
  );
}
