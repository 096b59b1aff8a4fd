import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { useConfirmedIdentity, useSecurity } from '#web/panel/features/security/index.ts';
import { Colleagues } from './colleagues.tsx';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { useTeam } from './use-team.ts';

/** The office's members and open invitations. Inviting and removing need a recent identity check. */
export function TeamPage() {
  const { t } = useLingui();
  const team = useTeam();
  const security = useSecurity();
  const { change: afterProof, question } = useConfirmedIdentity(security.data);
  if (team.isPending)
    return [180, 220].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  if (!team.data) return <LoadError title={t`The team could not be loaded`} query={team} />;
  return (
    <>
      <Colleagues colleagues={team.data.colleagues} afterProof={afterProof} />
      <InviteForm afterProof={afterProof} />
      {team.data.invitations.length > 0 && <Invitations invitations={team.data.invitations} afterProof={afterProof} />}
      {question}
    </>
  );
}
