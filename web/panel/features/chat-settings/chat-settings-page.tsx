import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ChatSettingsForm } from './chat-settings-form.tsx';
import { useChatSettings } from './use-chat-settings.ts';

/** `/dashboard/settings/widget` */
export function ChatSettingsPage() {
  const { t } = useLingui();
  const settings = useChatSettings();
  return (
    <>
      {settings.data && <ChatSettingsForm saved={settings.data} />}
      {settings.isPending && <Waiting />}
      {settings.isError && !settings.data && <LoadError title={t`The settings could not be loaded`} query={settings} />}
    </>
  );
}

function Waiting() {
  return [90, 180, 260, 140].map((height) => (
    <Card key={height}>
      <Skeleton height={height} />
    </Card>
  ));
}
