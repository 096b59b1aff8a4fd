import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { FrontPage } from '#web/panel/features/sign-in/front-page.tsx';
import { SignInPage } from '#web/panel/features/sign-in/sign-in-page.tsx';
import {
  InvitationDeclined,
  InvitationSummary,
  JoinByLink,
  JoinFromList,
  NoInvitation,
} from '#web/panel/features/team/invitation.tsx';
import { invitationQuery } from '#web/panel/features/team/use-invitation.ts';
import { useSession } from '#web/kit/session.ts';
import { entryFrame } from './entry-frame.tsx';
import { LoadingScreen } from '#web/panel/app/loading-screen.tsx';
import { LockedPanel } from '#web/panel/app/locked-panel.tsx';

const route = getRouteApi('/join/$token');

/** `/join/{token}`: the page that an invitation's link opens. It signs nobody in; a person joins with a button after signing in. */
export function JoinPage() {
  const { token } = route.useParams();
  const { person, gate } = useSession();
  const { data: invitation, error, refetch } = useQuery(invitationQuery(token));
  if (gate.because === 'locked') return <LockedPanel />;
  if (error && !invitation)
    return (
      <FrontPage {...entryFrame}>
        <NoInvitation error={error} retry={() => void refetch()} />
      </FrontPage>
    );
  if (!invitation) return <LoadingScreen />;
  if (person)
    return (
      <FrontPage {...entryFrame}>
        <JoinByLink invitation={invitation} token={token} />
      </FrontPage>
    );
  return <SignInPage {...entryFrame} as={invitation} intro={<InvitationSummary invitation={invitation} />} />;
}

/** `/join`: the open invitations of a person who is signed in. */
export function InvitationsPage() {
  const { invitations, gate } = useSession();
  const [declined, setDeclined] = useState<string>();
  if (gate.because === 'locked') return <LockedPanel />;
  return (
    <FrontPage {...entryFrame}>
      {declined === undefined ? (
        <JoinFromList invitations={invitations} onDeclined={setDeclined} />
      ) : (
        <InvitationDeclined officeName={declined} />
      )}
    </FrontPage>
  );
}
