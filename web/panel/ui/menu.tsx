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

/** The properties of the menu's button. */
export interface MenuButton {
  ref: Ref<HTMLButtonElement>;
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * A button that opens a list of actions (the ARIA menu button pattern). Arrow keys on the button open it at the first or last action.
 * Arrow keys, Home, End and first letters move; Escape, Tab and choosing close it and return the focus.
 */
export function Menu({ button, children }: { button: (props: MenuButton) => ReactNode; children: ReactNode }) {
  /** The parent of the open list: the landmark or dialog of its button, so that it belongs to that part of the page. */
  const [parent, setParent] = useState<Element | null>(null);
  const [first, setFirst] = useState<'first' | 'last'>('first');
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();

  const open = (item: 'first' | 'last') => {
    setFirst(item);
    setParent(trigger.current?.closest(landmarks) ?? document.body);
  };
  const close = () => {
    setParent(null);
    trigger.current?.focus({ preventScroll: true });
  };
  const props: MenuButton = {
    ref: trigger,
    id: `${id}-button`,
    'aria-haspopup': 'menu',
    'aria-expanded': parent !== null,
    'aria-controls': parent ? id : undefined,
    onClick: () => (parent ? setParent(null) : open('first')),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open(event.key === 'ArrowDown' ? 'first' : 'last');
    },
  };
  return (
    <>
      {button(props)}
      {parent &&
        createPortal(
          <MenuList id={id} trigger={trigger} first={first} onClose={close} onLeave={() => setParent(null)}>
            {children}
          </MenuList>,
          parent,
        )}
    </>
  );
}

const landmarks = 'dialog, main, header, aside, nav';

interface MenuListProps {
  id: string;
  trigger: { readonly current: HTMLButtonElement | null };
  /** The item that gets the focus. */
  first: 'first' | 'last';
  onClose: () => void;
  /** Closes without returning the focus. */
  onLeave: () => void;
  children: ReactNode;
}

function MenuList({ id, trigger, first, onClose, onLeave, children }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (list.current && trigger.current) placeBelow(list.current, trigger.current);
    itemsOf(list.current)
      .at(first === 'first' ? 0 : -1)
      ?.focus({ preventScroll: true });
  }, [trigger, first]);

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

/** Below the button, aligned with its nearer edge; above it if there is no room below. */
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
  /** For one choice of several: whether it is the current one. */
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
      <span className={css.text}>{children}</span>
      {checked && <CheckIcon />}
    </button>
  );
}

/** A line of text above the items. */
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
