import type { ReactNode } from 'react';
import { useSingleKeys } from '#web/kit/keyboard-shortcuts.ts';
import css from './kbd.module.css';

/** A key of the keyboard. As a `hint` it is hidden from screen readers, on touch screens, and while single keys are off. */
export function Kbd({ hint = false, children }: { hint?: boolean; children: ReactNode }) {
  const on = useSingleKeys();
  if (!hint) return <kbd className={css.kbd}>{children}</kbd>;
  return on ? (
    <kbd className={`${css.kbd} ${css.hint}`} aria-hidden="true">
      {children}
    </kbd>
  ) : null;
}
