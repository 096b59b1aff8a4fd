import { useLingui } from '@lingui/react/macro';
import { SecurityPage } from '#web/panel/features/security/security-page.tsx';
import { SettingsRoom } from '#web/panel/ui/settings-layout.tsx';
import { ProveIt } from '#web/panel/features/sign-in/confirm-identity.tsx';

/** `/dashboard/settings/security`: how this person signs in, inside the settings. */
export function SecurityRoom() {
  const { t } = useLingui();
  return (
    <SettingsRoom title={t`Security`}>
      <SecurityPage prove={(ways, onProved) => <ProveIt ways={ways} onProved={onProved} />} />
    </SettingsRoom>
  );
}
