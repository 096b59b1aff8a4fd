import { useLingui } from '@lingui/react/macro';
import { SecurityPage } from '#web/features/security/security-page.tsx';
import { SettingsRoom } from '#web/features/settings/settings-room.tsx';
import { ProveIt } from '#web/features/sign-in/prove-it.tsx';

/** `/dashboard/settings/security`: how this person signs in, inside the settings. */
export function SecurityRoom() {
  const { t } = useLingui();
  return (
    <SettingsRoom title={t`Security`}>
      <SecurityPage prove={(ways, onProved) => <ProveIt ways={ways} onProved={onProved} />} />
    </SettingsRoom>
  );
}
