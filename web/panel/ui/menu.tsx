import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { createPortal } from 'react-dom';
import { CheckIcon } from '#web/icons/check.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import css from './menu.module.css';

/** What the menu's button must be given. */
export interface MenuButton {
  ref: Ref<HTMLButtonElement>;
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: () => void;
}

/**
 * A button that opens a list of things to do. Arrow keys, Home, End and first letters move; Escape and Tab close and give the
 * focus back; so does choosing.
 */
export function Menu({ button, children }: { button: (given: MenuButton) => ReactNode; children: ReactNode }) {
  /** Where the open list is put: in the landmark of its button, so that it belongs to a part of the page. */
  const [place, setPlace] = useState<Element | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();

  const close = () => {
    setPlace(null);
    trigger.current?.focus({ preventScroll: true });
  };
  const given: MenuButton = {
    ref: trigger,
    id: `${id}-button`,
    'aria-haspopup': 'menu',
    'aria-expanded': place !== null,
    'aria-controls': place ? id : undefined,
    onClick: () => setPlace(place ? null : (trigger.current?.closest(landmarks) ?? document.body)),
  };
  return (
    <>
      {button(given)}
      {place &&
        createPortal(
          <MenuList id={id} trigger={trigger} onClose={close} onLeave={() => setPlace(null)}>
            {children}
          </MenuList>,
          place,
        )}
    </>
  );
}

const landmarks = '[role=dialog], [role=alertdialog], main, header, aside, nav';

interface MenuListProps {
  id: string;
  trigger: { readonly current: HTMLButtonElement | null };
  onClose: () => void;
  /** Closes without taking the focus back. */
  onLeave: () => void;
  children: ReactNode;
}

function MenuList({ id, trigger, onClose, onLeave, children }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (list.current && trigger.current) placeBelow(list.current, trigger.current);
    itemsOf(list.current)[0]?.focus({ preventScroll: true });
  }, [trigger]);

  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!list.current?.contains(target) && !trigger.current?.contains(target)) onLeave();
    };
    document.addEventListener('pointerdown', onPress);
    window.addEventListener('resize', onLeave);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      window.removeEventListener('resize', onLeave);
    };
  }, [onLeave, trigger]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    const next = nextItem(itemsOf(list.current), event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <div
      ref={list}
      id={id}
      role="menu"
      aria-labelledby={`${id}-button`}
      tabIndex={-1}
      className={css.menu}
      onKeyDown={onKeyDown}
      onClick={(event) => (event.target as Element).closest('[role^=menuitem]') && onClose()}
    >
      {children}
    </div>
  );
}

const itemsOf = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? []),
];

function nextItem(items: HTMLElement[], key: string): HTMLElement | undefined {
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return after.find((item) => item.textContent?.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase()));
}

/** Under the button and in line with its nearer edge; above it where there is no room below. */
function placeBelow(list: HTMLElement, trigger: HTMLElement): void {
  const at = trigger.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const { offsetWidth, offsetHeight } = list;
  const fromEnd = at.left + at.width / 2 > innerWidth / 2;
  const left = fromEnd ? at.right - offsetWidth : at.left;
  const below = at.bottom + 4;
  const top = below + offsetHeight > innerHeight - 8 ? Math.max(8, at.top - 4 - offsetHeight) : below;
  list.style.left = `${Math.min(Math.max(8, left), innerWidth - offsetWidth - 8)}px`;
  list.style.top = `${top}px`;
}

interface MenuItemProps {
  icon?: Icon;
  /** For one choice of several: is it the chosen one? */
  checked?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: ItemIcon, checked, disabled, onSelect, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      disabled={disabled}
      tabIndex={-1}
      className={css.item}
      onClick={onSelect}
    >
      {ItemIcon && <ItemIcon />}
      <span className={css.words}>{children}</span>
      {checked && <CheckIcon />}
    </button>
  );
}

/** A line of text above the items: whose menu this is. */
export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <div className={css.note} role="presentation">
      {children}
    </div>
  );
}

export function MenuDivider() {
  return <div className={css.divider} role="separator" />;
}
