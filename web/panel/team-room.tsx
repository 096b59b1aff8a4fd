import { useLingui } from '@lingui/react/macro';
import { useProof } from '#web/features/security/proof.tsx';
import { useSecurity } from '#web/features/security/use-security.ts';
import { SettingsRoom } from '#web/features/settings/settings-room.tsx';
import { ProveIt } from '#web/features/sign-in/prove-it.tsx';
import { TeamPage } from '#web/features/team/team-page.tsx';

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
