import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { visuallyHidden } from '#web/kit/visually-hidden.tsx';
import { classNames } from './class-names.ts';
import css from './combobox.module.css';
import { controlClass, Field, type FieldProps } from './field.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { Spinner } from './spinner.tsx';

export interface ComboboxProps<Choice> extends FieldProps {
  /** The text in the field. */
  value: string;
  onType: (value: string) => void;
  /** The suggestions for that text, best first. */
  choices: readonly Choice[];
  keyOf: (choice: Choice) => string;
  /** Renders one suggestion. */
  show: (choice: Choice) => ReactNode;
  onChoose: (choice: Choice) => void;
  /** The list's name for screen readers. */
  listLabel: string;
  /** How many suggestions there are, that there are none, or that the search failed. Announced, and shown while the list is closed. */
  status: string;
  /** A search is under way. */
  busy?: boolean;
  name?: string;
  placeholder?: string;
  maxLength?: number;
  autoFocus?: boolean;
}

/**
 * A text field with a list of suggestions (the ARIA combobox pattern). Arrow keys move through the list, Enter chooses the active
 * suggestion, Escape closes the list. Nothing is chosen without Enter or a click, and Enter never submits the form around it.
 */
export function Combobox<Choice>({
  value,
  onType,
  choices,
  keyOf,
  show,
  onChoose,
  listLabel,
  status,
  busy = false,
  name,
  placeholder,
  maxLength,
  autoFocus,
  ...field
}: ComboboxProps<Choice>) {
  const id = useId();
  const { isOpen, activeIndex, list, open, restart, close, choose, onKeyDown } = useSuggestions(
    choices,
    keyOf,
    onChoose,
  );
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
              aria-activedescendant={isOpen && activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
              autoComplete="off"
              autoCapitalize="words"
              spellCheck={false}
              placeholder={placeholder}
              maxLength={maxLength}
              autoFocus={autoFocus}
              value={value}
              onChange={(event) => {
                restart();
                onType(event.target.value);
              }}
              onKeyDown={onKeyDown}
              onClick={open}
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
              // The field keeps the focus while the list is scrolled or clicked.
              onPointerDown={(event) => event.preventDefault()}
            >
              {choices.map((choice, index) => (
                <li
                  key={keyOf(choice)}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === activeIndex}
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
      <p role="status" className={classNames(css.status, (isOpen || status === '') && visuallyHidden)}>
        {status}
      </p>
    </div>
  );
}

/** Whether the list is open, which suggestion is active, and the keys that change both. */
function useSuggestions<Choice>(
  choices: readonly Choice[],
  keyOf: (choice: Choice) => string,
  onChoose: (choice: Choice) => void,
) {
  const [wantsOpen, setWantsOpen] = useState(false);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const isOpen = wantsOpen && choices.length > 0;
  const activeIndex = choices.findIndex((choice) => keyOf(choice) === activeKey);

  const open = () => {
    setWantsOpen(true);
  };
  /** After typing: the list opens with no suggestion active. */
  const restart = () => {
    setWantsOpen(true);
    setActiveKey(null);
  };
  const close = () => {
    setWantsOpen(false);
    setActiveKey(null);
  };
  const activate = (index: number) => {
    const choice = choices[(index + choices.length) % choices.length];
    if (!choice) return;
    setWantsOpen(true);
    setActiveKey(keyOf(choice));
    requestAnimationFrame(() =>
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    );
  };
  const choose = (choice: Choice) => {
    close();
    onChoose(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const active = isOpen ? choices[activeIndex] : undefined;
    if (event.key === 'ArrowDown' && choices.length > 0) activate(isOpen ? activeIndex + 1 : 0);
    else if (event.key === 'ArrowUp' && choices.length > 0)
      activate(isOpen && activeIndex >= 0 ? activeIndex - 1 : choices.length - 1);
    else if (event.key === 'Enter' && active) choose(active);
    else if (event.key === 'Enter' && choices.length > 0) activate(0);
    else if (event.key === 'Enter') open();
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { isOpen, activeIndex, list, open, restart, close, choose, onKeyDown };
}
