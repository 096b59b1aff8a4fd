import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { markedNpi } from '#contract/practice/provisional-npi.ts';
import type { OpenInvitation } from '#contract/team.ts';
import { formatPhone } from '#contract/phone-format.ts';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { signOutAndLeave, switchOffice, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import css from './team.module.css';
import { useDecline, useJoin } from './use-invitation.ts';

/** Who invites to which practice. Shown above the sign-in form. */
export function InvitationSummary({ invitation }: { invitation: OpenInvitation }) {
  const { t } = useLingui();
  const { officeName, invitedBy } = invitation;
  const npi = markedNpi(invitation.npi, t`provisional`);
  useTitle(t`Join ${officeName}`);
  return (
    <p className={css.invited}>
      <Trans>
        <Name>{invitedBy}</Name> invites you to <Name>{officeName}</Name> (NPI {npi}). Sign in with{' '}
        <Name>{recipientOf(invitation)}</Name>, then press Join.
      </Trans>
    </p>
  );
}

/** An invitation link opened by a signed-in person: a button to join, or why it is not possible. */
export function JoinByLink({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { offices } = useSession();
  const join = useJoin({ token });
  const [isDeclined, setDeclined] = useState(false);
  const signOut = useMutation({ mutationFn: () => signOutAndLeave(cache, `/join/${token}`) });
  const { officeId, officeName } = invitation;
  const recipient = recipientOf(invitation);
  const offline = t`The server could not be reached.`;
  useTitle(t`Join ${officeName}`);

  if (isDeclined) return <InvitationDeclined officeName={officeName} />;
  if (offices.some(({ id }) => id === officeId))
    return (
      <>
        <h1>{t`You belong to ${officeName}`}</h1>
        <Button variant="filled" size="l" block icon={BuildingIcon} onClick={() => switchOffice(officeId)}>
          {t`Open ${officeName}`}
        </Button>
      </>
    );
  if (join.error instanceof CallError && join.error.code === 'invited_another')
    return (
      <>
        <h1>{t`Join ${officeName}`}</h1>
        <Banner tone="red">{t`This invitation was sent to ${recipient}. Sign in with ${recipient} to join.`}</Banner>
        {signOut.error && <Banner tone="red">{errorMessage(signOut.error, offline)}</Banner>}
        <Button
          variant="filled"
          size="l"
          block
          icon={SignOutIcon}
          busy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {t`Sign out and use ${recipient}`}
        </Button>
        <WayOn hasSignOut={false} />
      </>
    );
  return (
    <>
      <h1>{t`Join ${officeName}`}</h1>
      <JoinQuestion invitation={invitation} join={join} onDeclined={() => setDeclined(true)} />
      <WayOn />
    </>
  );
}

interface JoinFromListProps {
  invitations: OpenInvitation[];
  onDeclined: (officeName: string) => void;
  children?: ReactNode;
}

/** The signed-in person's open invitations. */
export function JoinFromList({ invitations, onDeclined, children }: JoinFromListProps) {
  const { t } = useLingui();
  useTitle(t`Invitations`);
  return (
    <>
      <h1>{invitations.length === 0 ? t`You have no open invitations` : t`You’re invited`}</h1>
      {invitations.map((invitation) => (
        <section key={invitation.id} className={css.invitation} aria-label={invitation.officeName}>
          <ListedInvitation invitation={invitation} onDeclined={() => onDeclined(invitation.officeName)} />
        </section>
      ))}
      {children ?? <WayOn />}
    </>
  );
}

function ListedInvitation({ invitation, onDeclined }: { invitation: OpenInvitation; onDeclined: () => void }) {
  const { officeName, id } = invitation;
  return (
    <>
      <h2>
        <bdi>{officeName}</bdi>
      </h2>
      <JoinQuestion invitation={invitation} join={useJoin({ invitationId: id })} onDeclined={onDeclined} />
    </>
  );
}

interface JoinQuestionProps {
  invitation: OpenInvitation;
  join: ReturnType<typeof useJoin>;
  onDeclined: () => void;
}

/** One invitation: practice, NPI, inviter, what the practice will see, and buttons to join or decline. */
function JoinQuestion({ invitation, join, onDeclined }: JoinQuestionProps) {
  const { t } = useLingui();
  const { person, invitations } = useSession();
  const decline = useDecline(onDeclined);
  const { id, officeName, invitedBy } = invitation;
  const npi = markedNpi(invitation.npi, t`provisional`);
  const error = join.error ?? decline.error;
  const isListed = invitations.some((listed) => listed.id === id);
  return (
    <>
      <p>
        <Trans>
          <Name>{invitedBy}</Name> invites <Name>{recipientOf(invitation)}</Name> to work with <Name>{officeName}</Name>{' '}
          (NPI {npi}). You are signed in as <Name>{person?.email ?? person?.name}</Name>.
        </Trans>
      </p>
      <p>{t`The team page shows your colleagues this email or phone. Your name appears next to what you do for the practice.`}</p>
      <p>{t`The practice’s activity log also records your sign-ins there.`}</p>
      {error && <Banner tone="red">{errorMessage(error, t`The server could not be reached.`)}</Banner>}
      <Button
        variant="filled"
        size="l"
        block
        busy={join.isPending}
        aria-label={t`Join ${officeName}`}
        onClick={() => join.mutate()}
      >
        {t`Join`}
      </Button>
      {isListed && (
        <Button
          size="l"
          block
          busy={decline.isPending}
          aria-label={t`Decline the invitation to ${officeName}`}
          onClick={() => decline.mutate(id)}
        >
          {t`Decline`}
        </Button>
      )}
    </>
  );
}

/** Shown when the invitation ended or could not be loaded. */
export function NoInvitation({ error, retry }: { error: Error; retry: () => void }) {
  const { t } = useLingui();
  const isOver = error instanceof CallError && error.code === 'invitation_over';
  useTitle(t`Invitation`);
  return (
    <>
      <h1>{isOver ? t`This invitation is no longer valid` : t`The invitation could not be loaded`}</h1>
      <p>
        {isOver
          ? t`This invitation was already used, was canceled, or has expired. Ask the practice for a new one. If you already joined, just sign in.`
          : errorMessage(error, t`The server could not be reached.`)}
      </p>
      {!isOver && (
        <Button size="l" block onClick={retry}>
          {t`Try again`}
        </Button>
      )}
      <WayOn />
    </>
  );
}

/** Confirms that the invitation was declined. */
export function InvitationDeclined({ officeName }: { officeName: string }) {
  const { t } = useLingui();
  const { invitations } = useSession();
  useTitle(t`Invitation declined`);
  return (
    <>
      <h1>{t`Invitation declined`}</h1>
      <p role="status">{t`You declined. ${officeName} can’t add you unless they invite you again.`}</p>
      {invitations.length > 0 && (
        <Button variant="filled" size="l" block onClick={() => location.assign('/join')}>
          {t`See your other invitations`}
        </Button>
      )}
      <WayOn />
    </>
  );
}

const recipientOf = ({ email, phone }: OpenInvitation) => email ?? formatPhone(phone ?? '');

/** Leads back to the panel; without a practice, to registration or sign-out. */
function WayOn({ hasSignOut = true }: { hasSignOut?: boolean }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { person, offices } = useSession();
  const signOut = useMutation({ mutationFn: () => signOutAndLeave(cache) });
  if (!person || offices.length > 0)
    return (
      <Button size="l" block icon={ArrowLeftIcon} onClick={() => location.assign('/')}>
        {person ? t`Back to the panel` : t`Sign In`}
      </Button>
    );
  return (
    <>
      {signOut.error && <Banner tone="red">{errorMessage(signOut.error, t`The server could not be reached.`)}</Banner>}
      {hasSignOut && (
        <Button size="l" block icon={SignOutIcon} busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t`Sign out`}
        </Button>
      )}
      <Button variant="subtle" size="l" block icon={PlusIcon} onClick={() => location.assign('/?signUp=regular')}>
        {t`Register a practice`}
      </Button>
    </>
  );
}

function Name({ children }: { children: ReactNode }) {
  return (
    <strong className={css.strong}>
      <bdi>{children}</bdi>
    </strong>
  );
}
