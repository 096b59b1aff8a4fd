import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import type { RunAfterIdentityCheck } from './after-proof.ts';
import { Colleagues } from './colleagues.tsx';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { useTeam } from './use-team.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

/** The office's members and open invitations, with inviting and removing. */
export function TeamPage({ afterProof }: { afterProof: RunAfterIdentityCheck }) {
  const { t } = useLingui();
  const team = useTeam();
  if (team.isPending)
    return [180, 220].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  if (!team.data)
    return (
      <EmptyState
        icon={WarningIcon}
        title={t`The team could not be loaded`}
        action={
          <Button busy={team.isFetching} onClick={() => void team.refetch()}>
            {t`Try again`}
          </Button>
        }
      >
        {errorMessage(team.error, t`The server could not be reached.`)}
      </EmptyState>
    );
  return (
    <>
      <Colleagues colleagues={team.data.colleagues} afterProof={afterProof} />
      <InviteForm afterProof={afterProof} />
      {team.data.invitations.length > 0 && <Invitations invitations={team.data.invitations} afterProof={afterProof} />}
    </>
  );
}
