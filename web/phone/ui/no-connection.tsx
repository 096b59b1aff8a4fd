import { useLingui } from '@lingui/react/macro';
import type { MouseEventHandler } from 'react';

/** A part of the page could not be loaded; the link loads it again. Plain text: each page of the phone loads this, and few show it. */
export function NoConnection({ href, onClick }: { href: string; onClick?: MouseEventHandler }) {
  const { t } = useLingui();
  return (
    <p role="alert">
      {t`No connection.`}{' '}
      <a href={href} onClick={onClick}>
        {t`Try again`}
      </a>
    </p>
  );
}
