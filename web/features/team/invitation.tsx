import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OpenInvitation } from '#contract/team.ts';
import { CallError } from '#web/kit/call.ts';
import { formatPhone } from '#web/kit/format.tsx';
import { leave, switchOffice, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Banner } from '#web/ui/plain/banner.tsx';
import { Button } from '#web/ui/plain/button.tsx';
import { ArrowLeftIcon, BuildingIcon, SignOutIcon } from '#web/ui/plain/icons.tsx';
import { toast } from '#web/ui/plain/toasts.ts';
import css from './team.module.css';
import { useDecline, useJoin } from './use-invitation.ts';
import { wordsOf } from './words-of.ts';

/** Who invites to which practice: above the sign-in of a person who is not signed in. */
export function InvitedTo({ invitation }: { invitation: OpenInvitation }) {
  const { t } = useLingui();
  const { officeName, npi, invitedBy } = invitation;
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

/** The link, opened by a person who is signed in: joins with one press, or says why not. */
export function JoinByLink({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { offices } = useSession();
  const join = useJoin({ token });
  const signOut = useMutation({ mutationFn: () => leave(cache, `/join/${token}`) });
  const { officeId, officeName } = invitation;
  const recipient = recipientOf(invitation);
  const offline = t`The server could not be reached.`;
  useTitle(t`Join ${officeName}`);

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
        <Banner tone="red">{t`This invitation was sent to ${recipient}. Sign in with that.`}</Banner>
        {signOut.error && <Banner tone="red">{wordsOf(signOut.error, offline)}</Banner>}
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
        <Home />
      </>
    );
  return (
    <>
      <h1>{t`Join ${officeName}`}</h1>
      <JoinQuestion invitation={invitation} join={join} />
      <Home />
    </>
  );
}

/** The open invitations to a person who is signed in. */
export function JoinFromList({ invitations, children }: { invitations: OpenInvitation[]; children?: ReactNode }) {
  const { t } = useLingui();
  useTitle(t`Invitations`);
  return (
    <>
      <h1>{invitations.length === 0 ? t`You have no open invitations` : t`You are invited`}</h1>
      {invitations.map((invitation) => (
        <section key={invitation.id} className={css.invitation} aria-label={invitation.officeName}>
          <ListedInvitation invitation={invitation} />
        </section>
      ))}
      {children ?? <Home />}
    </>
  );
}

function ListedInvitation({ invitation }: { invitation: OpenInvitation }) {
  const { officeName, id } = invitation;
  return (
    <>
      <h2>
        <bdi>{officeName}</bdi>
      </h2>
      <JoinQuestion invitation={invitation} join={useJoin({ invitationId: id })} />
    </>
  );
}

interface JoinQuestionProps {
  invitation: OpenInvitation;
  join: ReturnType<typeof useJoin>;
}

/** Practice, NPI and inviter; what the practice will see; joining, or declining. */
function JoinQuestion({ invitation, join }: JoinQuestionProps) {
  const { t } = useLingui();
  const { person, invitations } = useSession();
  const decline = useDecline();
  const { id, officeName, npi, invitedBy } = invitation;
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
      <p>{t`If you join, your colleagues there see your name, this address or number, and when you sign in at that practice. Nothing else.`}</p>
      {error && <Banner tone="red">{wordsOf(error, t`The server could not be reached.`)}</Banner>}
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
          aria-label={t`Not me: decline the invitation of ${officeName}`}
          onClick={() => decline.mutate(id, { onSuccess: () => toast({ title: t`Invitation declined` }) })}
        >
          {t`Not me`}
        </Button>
      )}
    </>
  );
}

/** The link has ended, or could not be read. */
export function NoInvitation({ error, retry }: { error: Error; retry: () => void }) {
  const { t } = useLingui();
  const isOver = error instanceof CallError && error.code === 'invitation_over';
  useTitle(t`Invitation`);
  return (
    <>
      <h1>{isOver ? t`This invitation has ended` : t`The invitation could not be loaded`}</h1>
      <p>
        {isOver
          ? t`This invitation was already used, was canceled, or has expired. Ask the practice for a new one. If you joined already, just sign in.`
          : wordsOf(error, t`The server could not be reached.`)}
      </p>
      {!isOver && (
        <Button size="l" block onClick={retry}>
          {t`Try again`}
        </Button>
      )}
      <Home />
    </>
  );
}

const recipientOf = ({ email, phone }: OpenInvitation) => email ?? formatPhone(phone ?? '');

function Home() {
  const { t } = useLingui();
  const { person } = useSession();
  return (
    <Button size="l" block icon={ArrowLeftIcon} onClick={() => location.assign('/')}>
      {person ? t`Back to the panel` : t`Sign In`}
    </Button>
  );
}

function Name({ children }: { children: ReactNode }) {
  return (
    <strong className={css.strong}>
      <bdi>{children}</bdi>
    </strong>
  );
}
