import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { QueueSettingsForm } from './queue-settings-form.tsx';
import { useQueueSettings } from './use-queue-settings.ts';

export function QueueSettingsPage() {
  const { t } = useLingui();
  const settings = useQueueSettings();
  return (
    <>
      {settings.data && <QueueSettingsForm saved={settings.data} />}
      {settings.isPending && <Waiting />}
      {settings.isError && !settings.data && <LoadError title={t`The settings could not be loaded`} query={settings} />}
    </>
  );
}

function Waiting() {
  return [104, 148, 320, 160].map((height) => (
    <Card key={height}>
      <Skeleton height={height} />
    </Card>
  ));
}
