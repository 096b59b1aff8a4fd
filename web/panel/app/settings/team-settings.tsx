import { useLingui } from '@lingui/react/macro';
import { useProof } from '#web/panel/features/security/use-confirmed-identity.tsx';
import { useSecurity } from '#web/panel/features/security/use-security.ts';
import { SettingsRoom } from '#web/panel/ui/settings-layout.tsx';
import { ProveIt } from '#web/panel/features/sign-in/confirm-identity.tsx';
import { TeamPage } from '#web/panel/features/team/team-page.tsx';

/** The team stands among the settings. Inviting and removing ask for a proof of identity first. */
export function TeamRoom() {
  const { t } = useLingui();
  const security = useSecurity();
  const { change, question } = useProof(security.data, (ways, onProved) => <ProveIt ways={ways} onProved={onProved} />);
  return (
    <SettingsRoom title={t`Team`}>
      <TeamPage afterProof={change} />
      {question}
    </SettingsRoom>
  );
}
