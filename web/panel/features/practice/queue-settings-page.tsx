import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { QueueSettingsForm } from './queue-settings-form.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';
import { useQueueSettings } from './use-queue-settings.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

export function QueueSettingsPage() {
  const { t } = useLingui();
  const settings = useQueueSettings();
  return (
    <SettingsLayout title={t`Queue settings`}>
      {settings.data && <QueueSettingsForm saved={settings.data} />}
      {settings.isPending && <Waiting />}
      {settings.isError && !settings.data && (
        <EmptyState
          icon={WarningIcon}
          title={t`The settings could not be loaded`}
          action={
            <Button busy={settings.isFetching} onClick={() => void settings.refetch()}>
              {t`Try again`}
            </Button>
          }
        >
          {errorMessage(settings.error, t`The server could not be reached.`)}
        </EmptyState>
      )}
    </SettingsLayout>
  );
}

function Waiting() {
  return [104, 148, 320, 160].map((height) => (
    <Card key={height}>
      <Skeleton height={height} />
    </Card>
  ));
}
