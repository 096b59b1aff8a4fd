import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/plain/button.tsx';
import { Card } from '#web/ui/plain/card.tsx';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { WarningIcon } from '#web/ui/plain/icons.tsx';
import { Skeleton } from '#web/ui/plain/skeleton.tsx';
import { QueueSettingsForm } from './queue-settings-form.tsx';
import { SettingsRoom } from './settings-room.tsx';
import { useQueueSettings } from './use-queue-settings.ts';
import { errorWords } from '#web/kit/error-words.ts';

export function QueueSettingsPage() {
  const { t } = useLingui();
  const settings = useQueueSettings();
  return (
    <SettingsRoom title={t`Queue settings`}>
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
          {errorWords(settings.error, t`The server could not be reached.`)}
        </EmptyState>
      )}
    </SettingsRoom>
  );
}

function Waiting() {
  return [104, 148, 320, 160].map((height) => (
    <Card key={height}>
      <Skeleton height={height} />
    </Card>
  ));
}
