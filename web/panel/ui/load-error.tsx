import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { WarningIcon } from '#web/icons/warning.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface LoadErrorProps {
  /** What could not be loaded, in a sentence. */
  title: string;
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** Shown in place of the plain error message. */
  children?: ReactNode;
}

/** What a page shows when its data could not be loaded: the reason, and a button that tries again. */
export function LoadError({ title, query, children }: LoadErrorProps) {
  const { t } = useLingui();
  const retry = (
    <Button busy={query.isFetching} onClick={() => void query.refetch()}>
      {t`Try again`}
    </Button>
  );
  return (
    <EmptyState icon={WarningIcon} title={title} action={retry}>
      {children ?? errorMessage(query.error, t`The server could not be reached.`)}
    </EmptyState>
  );
}
