import { useLingui } from '@lingui/react/macro';
import type { MouseEventHandler } from 'react';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';

/** A part of the page could not be loaded; the link loads it again. */
export function NoConnection({ href, onClick }: { href: string; onClick?: MouseEventHandler }) {
  const { t } = useLingui();
  return (
    <ErrorMessage>
      {t`No connection.`}{' '}
      <a href={href} onClick={onClick}>
        {t`Try again`}
      </a>
    </ErrorMessage>
  );
}
