import { useLayoutEffect, useRef, useState, type ChangeEvent, type ComponentProps } from 'react';
import { controlClass, Field, type FieldProps } from './field.tsx';
import { caretAfter, editPhone, maskPhone } from './phone-mask.ts';

interface PhoneInputProps extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'size' | 'value' | 'onChange'> {
  /** Up to ten digits, without country code. */
  value: string;
  onChange: (digits: string) => void;
  size?: 'm' | 'l';
}

/** A US mobile number, shown as (xxx) xxx-xxxx while it is typed. */
export function PhoneInput({ label, hint, error, hideLabel, value, onChange, size, ...rest }: PhoneInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState<{ left: number } | null>(null);

  useLayoutEffect(() => {
    if (!caret || document.activeElement !== input.current) return;
    const at = caretAfter(maskPhone(value), caret.left);
    input.current?.setSelectionRange(at, at);
  }, [caret, value]);

  const edit = (event: ChangeEvent<HTMLInputElement>) => {
    const { inputType = '' } = event.nativeEvent as InputEvent;
    const deleting = /^delete.*Backward/.test(inputType) ? 'backward' : /^delete.*Forward/.test(inputType) ? 'forward' : undefined;
    const { value: text, selectionStart } = event.target;
    const next = editPhone(value, text, selectionStart ?? text.length, deleting);
    setCaret({ left: next.caret });
    if (next.digits !== value) onChange(next.digits);
  };

  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <input
          autoComplete="tel-national"
          {...rest}
          {...control}
          ref={input}
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
