import type { ReactNode } from 'react';
import { WarningIcon } from '#web/icons/warning.tsx';
import css from './message.module.css';

/** Why something did not work. Screen readers announce it at once. */
export function ErrorMessage({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={css.error}>
      <WarningIcon />
      <span>{children}</span>
    </p>
  );
}
