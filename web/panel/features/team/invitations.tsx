import { Trans, useLingui } from '@lingui/react/macro';
import { invitationDays, type Invitation } from '#contract/team.ts';
import { useNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Row, Rows, SecondaryText } from '#web/panel/ui/rows.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { Identity } from './colleagues.tsx';
import css from './team.module.css';
import type { RunAfterIdentityCheck } from './after-proof.ts';
import { useResend, useRevoke } from './use-team.ts';
import { OfficeMoment } from '#web/kit/when.tsx';

interface InvitationsProps {
  invitations: Invitation[];
  afterProof: RunAfterIdentityCheck;
}

/** Invitations that nobody has accepted or declined yet. */
export function Invitations({ invitations, afterProof }: InvitationsProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Open invitations`}>
      <Rows>
        {invitations.map((invitation) => (
          <Open key={invitation.id} invitation={invitation} afterProof={afterProof} />
        ))}
      </Rows>
    </Card>
  );
}

function Open({ invitation, afterProof }: { invitation: Invitation; afterProof: RunAfterIdentityCheck }) {
  const { t } = useLingui();
  const resend = useResend();
  const revoke = useRevoke();
  const { id, name, email, phone, invitedBy, expiresAt } = invitation;
  const who = name || email || phone;
  const error = resend.error ?? revoke.error;
  const showOutcome = (sentAt: string | null) =>
    sentAt
      ? toast({ title: t`Invitation sent again` })
      : toast({
          tone: 'red',
          title: t`The invitation could not be sent`,
          text: t`Check that the email address or phone number is right.`,
        });
  const again = () => afterProof(() => resend.mutate(id, { onSuccess: ({ sentAt }) => showOutcome(sentAt) }));
  return (
    <Row
      name={
        <>
          {name && <bdi>{name}</bdi>}
          <State {...invitation} />
        </>
      }
      end={
        <div className={css.buttons}>
          <Button
            size="s"
            icon={RefreshIcon}
            busy={resend.isPending}
            aria-label={t`Send again to ${who}`}
            onClick={again}
          >
            {t`Send again`}
          </Button>
          <Button
            size="s"
            busy={revoke.isPending}
            aria-label={t`Cancel the invitation to ${who}`}
            onClick={() => revoke.mutate(id)}
          >
            {t`Cancel`}
          </Button>
        </div>
      }
    >
      <SecondaryText>
        <Identity email={email} phone={phone} />
      </SecondaryText>
      <SecondaryText>
        <Trans>
          Invited by <bdi>{invitedBy}</bdi>, expires <OfficeMoment at={expiresAt} />
        </Trans>
      </SecondaryText>
      {error && (
        <p className={css.wrong} role="alert">
          {errorMessage(error, t`The server could not be reached.`)}
        </p>
      )}
    </Row>
  );
}

/** Sending the email takes a moment; after this time an unsent one counts as failed. */
const sendingMs = 20_000;

function State({ expired, sentAt, expiresAt }: Invitation) {
  const { t } = useLingui();
  const now = useNow();
  const isFresh = now - (Date.parse(expiresAt) - invitationDays * 86_400_000) < sendingMs;
  if (expired)
    return (
      <StatusBadge tone="gray" icon={ClockIcon}>
        {t`Expired`}
      </StatusBadge>
    );
  if (sentAt === null && isFresh)
    return (
      <StatusBadge tone="gray" icon={ClockIcon}>
        {t`Sending…`}
      </StatusBadge>
    );
  if (sentAt === null)
    return (
      <StatusBadge tone="red" icon={WarningIcon}>
        {t`Could not be sent`}
      </StatusBadge>
    );
  return (
    <StatusBadge tone="blue" icon={SendIcon}>
      {t`Sent`}
    </StatusBadge>
  );
}
