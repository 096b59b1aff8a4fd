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
import css from './team.module.css';
import { useAccept } from './use-invitation.ts';
import { wordsOf } from './words-of.ts';

/** Who invites whom to where: above the sign-in of somebody who is not signed in. */
export function InvitedTo({ invitation }: { invitation: OpenInvitation }) {
  const { t } = useLingui();
  const { officeName, invitedBy, email, phone } = invitation;
  const to = email ?? formatPhone(phone ?? '');
  useTitle(t`Join ${officeName}`);
  return (
    <p className={css.invited}>
      <Trans>
        <Name>{invitedBy}</Name> invites you to <Name>{officeName}</Name>. Sign in with <Name>{to}</Name> to join.
      </Trans>
    </p>
  );
}

/** For whoever is signed in already: joins with one press, or says why not. */
export function TakeUp({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { person, offices } = useSession();
  const accept = useAccept(token);
  const out = useMutation({ mutationFn: () => leave(cache, `/join/${token}`) });
  const { officeId, officeName, invitedBy, email, phone } = invitation;
  const to = email ?? formatPhone(phone ?? '');
  const isMember = offices.some(({ id }) => id === officeId);
  const isAnothers = accept.error instanceof CallError && accept.error.code === 'invited_another';
  const offline = t`The server could not be reached.`;
  useTitle(t`Join ${officeName}`);

  if (isMember)
    return (
      <>
        <h1>{t`You belong to ${officeName}`}</h1>
        <Button variant="filled" size="l" block icon={BuildingIcon} onClick={() => switchOffice(officeId)}>
          {t`Open ${officeName}`}
        </Button>
      </>
    );
  return (
    <>
      <h1>{t`Join ${officeName}`}</h1>
      <p>
        <Trans>
          <Name>{invitedBy}</Name> invites you to work with this practice. You are signed in as{' '}
          <Name>{person?.email ?? person?.name}</Name>.
        </Trans>
      </p>
      {accept.error && (
        <Banner tone="red">
          {isAnothers ? t`This invitation was sent to ${to}. Sign in with that.` : wordsOf(accept.error, offline)}
        </Banner>
      )}
      {out.error && <Banner tone="red">{wordsOf(out.error, offline)}</Banner>}
      {isAnothers ? (
        <Button variant="filled" size="l" block icon={SignOutIcon} busy={out.isPending} onClick={() => out.mutate()}>
          {t`Sign out and use ${to}`}
        </Button>
      ) : (
        <Button variant="filled" size="l" block busy={accept.isPending} onClick={() => accept.mutate()}>
          {t`Join`}
        </Button>
      )}
      <Home />
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
          ? t`It was taken up, taken back or is older than a week. Ask the practice for a new one. If you joined already, just sign in.`
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
