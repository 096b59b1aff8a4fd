import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './field.module.css';
import { SearchIcon } from '#web/icons/search.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Kbd } from './kbd.tsx';

export interface FieldProps {
  label: ReactNode;
  /** A note below the field. */
  hint?: ReactNode;
  /** The error message at the field. */
  error?: ReactNode;
  /** Marks the field as wrong although its group shows the error message. */
  invalid?: boolean;
  /** The label is for screen readers only (a search box). */
  hideLabel?: boolean;
}

/** The attributes of the control inside a Field. */
export interface Control {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** Label, control, hint and error, connected for screen readers. */
export function Field({
  label,
  hint,
  error,
  invalid = error !== undefined,
  hideLabel,
  children,
}: FieldProps & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const described = classNames(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`);
  const control: Control = { id, 'aria-invalid': invalid || undefined, 'aria-describedby': described || undefined };
  return (
    <div className={css.field}>
      <label className={classNames(css.label, hideLabel && css.hidden)} htmlFor={id}>
        {label}
      </label>
      {children(control)}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** Hint and error of a field or group whose id is `id`. */
export function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: ReactNode }) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={css.error}>
          <WarningIcon size={14} />
          <span>{error}</span>
        </p>
      )}
    </>
  );
}

type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<ComponentProps<Tag>, 'id' | 'size'>;
/** `l` is for touch. */
type Size = { size?: 'm' | 'l' };

/** The classes of a control, for inputs outside this file. */
export function controlClass(size: Size['size'] = 'm'): string {
  return classNames(css.control, css[size]);
}

export function TextInput({
  label,
  hint,
  error,
  invalid,
  hideLabel,
  size,
  className,
  ...rest
}: FieldProps & Native<'input'> & Size) {
  return (
    <Field label={label} hint={hint} error={error} invalid={invalid} hideLabel={hideLabel}>
      {(control) => <input {...rest} {...control} className={classNames(controlClass(size), className)} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  invalid,
  hideLabel,
  size,
  className,
  ...rest
}: FieldProps & Native<'textarea'> & Size) {
  return (
    <Field label={label} hint={hint} error={error} invalid={invalid} hideLabel={hideLabel}>
      {(control) => (
        <textarea rows={2} {...rest} {...control} className={classNames(controlClass(size), css.area, className)} />
      )}
    </Field>
  );
}

export function Select({
  label,
  hint,
  error,
  invalid,
  hideLabel,
  size,
  className,
  children,
  ...rest
}: FieldProps & Native<'select'> & Size) {
  return (
    <Field label={label} hint={hint} error={error} invalid={invalid} hideLabel={hideLabel}>
      {(control) => (
        <select {...rest} {...control} className={classNames(controlClass(size), css.select, className)}>
          {children}
        </select>
      )}
    </Field>
  );
}

/** A search box with a hidden label and a visible keyboard shortcut. */
export function SearchInput({
  keyHint,
  ...props
}: Omit<FieldProps, 'hideLabel'> & Native<'input'> & { keyHint?: string }) {
  return (
    <div className={css.search}>
      <SearchIcon className={css.glass} />
      <TextInput {...props} type="search" hideLabel />
      {keyHint && (
        <span className={css.key}>
          <Kbd hint>{keyHint}</Kbd>
        </span>
      )}
    </div>
  );
}

/** A checkbox or, with `toggle`, a switch: label beside it, hint below. */
export function Checkbox({
  label,
  hint,
  toggle = false,
  ...rest
}: { label: ReactNode; hint?: ReactNode; toggle?: boolean } & Native<'input'>) {
  const id = useId();
  return (
    <div className={css.check}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        role={toggle ? 'switch' : undefined}
        className={toggle ? css.toggle : css.box}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      <FieldNotes id={id} hint={hint} />
    </div>
  );
}
