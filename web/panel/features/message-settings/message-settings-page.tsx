import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { MessageSettingsForm } from './message-settings-form.tsx';
import { useMessageSettings } from './use-message-settings.ts';

/** `/dashboard/settings/messages` */
export function MessageSettingsPage() {
  const { t } = useLingui();
  const settings = useMessageSettings();
  return (
    <>
      {settings.data && <MessageSettingsForm saved={settings.data} />}
      {settings.isPending && <Waiting />}
      {settings.isError && !settings.data && <LoadError title={t`The settings could not be loaded`} query={settings} />}
    </>
  );
}

function Waiting() {
  return [120, 240, 200].map((height) => (
    <Card key={height}>
      <Skeleton height={height} />
    </Card>
  ));
}
