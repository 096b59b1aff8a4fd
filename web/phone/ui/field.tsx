import { useId, type ComponentProps, type ReactNode } from 'react';
import css from '#web/questionnaire/ui/field.module.css';
import { WarningIcon } from '#web/icons/warning.tsx';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'size' | 'onChange'> {
  label: ReactNode;
  hint?: ReactNode;
  /** The error message. It does not replace the entry. */
  error?: string | undefined;
  onText: (text: string) => void;
}

/** A field for thumbs: label, input, hint and error, tied together. */
export function Field({ label, hint, error, onText, ...input }: FieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={css.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onText(event.target.value)}
      />
      {error && (
        <p id={`${id}-error`} className={css.error}>
          <WarningIcon size={16} />
          <span>{error}</span>
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
