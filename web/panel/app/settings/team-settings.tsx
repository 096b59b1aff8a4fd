import { useLingui } from '@lingui/react/macro';
import { useConfirmedIdentity } from '#web/panel/features/security/use-confirmed-identity.tsx';
import { useSecurity } from '#web/panel/features/security/use-security.ts';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';
import { ConfirmIdentity } from '#web/panel/features/sign-in/confirm-identity.tsx';
import { TeamPage } from '#web/panel/features/team/team-page.tsx';

/** The team stands among the settings. Inviting and removing ask for a proof of identity first. */
export function TeamSettings() {
  const { t } = useLingui();
  const security = useSecurity();
  const { change, question } = useConfirmedIdentity(security.data, (ways, onProved) => (
    <ConfirmIdentity ways={ways} onProved={onProved} />
  ));
  return (
    <SettingsLayout title={t`Team`}>
      <TeamPage afterProof={change} />
      {question}
    </SettingsLayout>
  );
}
