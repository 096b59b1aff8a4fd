import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './combobox.module.css';
import { controlClass, Field, type FieldProps } from './field.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { Spinner } from './spinner.tsx';

export interface ComboboxProps<Choice> extends FieldProps {
  /** What is typed. */
  value: string;
  onType: (value: string) => void;
  /** What fits it, best first. */
  choices: readonly Choice[];
  keyOf: (choice: Choice) => string;
  /** One choice in the list. */
  show: (choice: Choice) => ReactNode;
  onChoose: (choice: Choice) => void;
  /** Name of the list for a screen reader. */
  listLabel: string;
  /** What is to be said of the list: how many fit, that none does, that the search failed. Announced, and shown where there is no list. */
  says: string;
  /** An answer is on its way. */
  busy?: boolean;
  name?: string;
  placeholder?: string;
  maxLength?: number;
  autoFocus?: boolean;
}

/** A text field with a list of what fits (WAI-ARIA combobox): arrows walk it, Enter takes the one walked to, Escape closes it; nothing is taken unasked, and no form is sent from here. */
export function Combobox<Choice>({
  value,
  onType,
  choices,
  keyOf,
  show,
  onChoose,
  listLabel,
  says,
  busy = false,
  name,
  placeholder,
  maxLength,
  autoFocus,
  ...field
}: ComboboxProps<Choice>) {
  const id = useId();
  const [wanted, setOpen] = useState(false);
  const [walked, setWalked] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const isOpen = wanted && choices.length > 0;
  const at = choices.findIndex((choice) => keyOf(choice) === walked);

  const walk = (to: number) => {
    const choice = choices[(to + choices.length) % choices.length];
    if (!choice) return;
    setOpen(true);
    setWalked(keyOf(choice));
    requestAnimationFrame(() =>
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    );
  };
  const close = () => {
    setOpen(false);
    setWalked(null);
  };
  const choose = (choice: Choice) => {
    close();
    onChoose(choice);
  };
  const press = (event: KeyboardEvent) => {
    const chosen = isOpen ? choices[at] : undefined;
    if (event.key === 'ArrowDown' && choices.length > 0) walk(isOpen ? at + 1 : 0);
    else if (event.key === 'ArrowUp' && choices.length > 0) walk(isOpen && at >= 0 ? at - 1 : choices.length - 1);
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Enter' && choices.length > 0) walk(0);
    else if (event.key === 'Enter') setOpen(true);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={css.combobox}>
      <Field {...field}>
        {(control) => (
          <div className={css.box}>
            <SearchIcon className={css.glass} />
            <input
              {...control}
              type="text"
              role="combobox"
              name={name}
              className={classNames(controlClass(), css.input)}
              aria-expanded={isOpen}
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
              autoComplete="off"
              autoCapitalize="words"
              spellCheck={false}
              placeholder={placeholder}
              maxLength={maxLength}
              autoFocus={autoFocus}
              value={value}
              onChange={(event) => {
                setOpen(true);
                setWalked(null);
                onType(event.target.value);
              }}
              onKeyDown={press}
              onClick={() => setOpen(true)}
              onBlur={close}
            />
            {busy && (
              <span className={css.busy}>
                <Spinner />
              </span>
            )}
            <ul
              ref={list}
              id={`${id}-list`}
              role="listbox"
              aria-label={listLabel}
              className={css.list}
              hidden={!isOpen}
              // The field keeps the focus, also while the list is scrolled.
              onPointerDown={(event) => event.preventDefault()}
            >
              {choices.map((choice, index) => (
                <li
                  key={keyOf(choice)}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  className={css.choice}
                  onClick={() => choose(choice)}
                >
                  {show(choice)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </Field>
      <p role="status" className={classNames(css.says, (isOpen || says === '') && css.unseen)}>
        {says}
      </p>
    </div>
  );
}
