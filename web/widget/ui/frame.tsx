import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import css from './frame.module.css';

interface FrameProps {
  /** Empty until it is known, and on a page with a notice. */
  officeName?: string;
  children?: ReactNode;
}

/**
 * The page of the chat: the practice at its head. The website's script shows its close button at the head's end. The one landmark has a name:
 * to a screen reader the frame is a part of the website, which has landmarks too.
 */
export function Frame({ officeName = '', children }: FrameProps) {
  const { t } = useLingui();
  return (
    <main className={css.page} aria-label={t`Chat`}>
      <div className={css.head}>
        {officeName !== '' && (
          <h1 tabIndex={-1} dir="auto">
            {officeName}
          </h1>
        )}
      </div>
      <div className={css.body}>{children}</div>
    </main>
  );
}
