import { useLingui } from '@lingui/react/macro';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '#web/ui/plain/button.tsx';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { RefreshIcon, WarningIcon } from '#web/ui/plain/icons.tsx';

/** A room that could not be opened: its code or its first data did not come. */
export function FailedScreen({ reset }: ErrorComponentProps) {
  const { t } = useLingui();
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const retry = (
    <Button icon={RefreshIcon} onClick={again}>
      {t`Try again`}
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState icon={WarningIcon} title={t`This page could not be loaded`} action={retry}>
        {t`Check the connection, then try again.`}
      </EmptyState>
    </div>
  );
}
