import { useLingui } from '@lingui/react/macro';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';

/** A page that could not be opened: its code or its first data could not be loaded. */
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
