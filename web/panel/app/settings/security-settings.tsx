import { useLingui } from '@lingui/react/macro';
import { SecurityPage } from '#web/panel/features/security/security-page.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';
import { ConfirmIdentity } from '#web/panel/features/sign-in/confirm-identity.tsx';

/** `/dashboard/settings/security`: how this person signs in, inside the settings. */
export function SecuritySettings() {
  const { t } = useLingui();
  return (
    <SettingsLayout title={t`Security`}>
      <SecurityPage prove={(ways, onProved) => <ConfirmIdentity ways={ways} onProved={onProved} />} />
    </SettingsLayout>
  );
}
