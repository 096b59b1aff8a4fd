import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import { invitationDays } from '#contract/team.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { MailIcon } from '#web/icons/mail.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { SecondaryText } from '#web/panel/ui/rows.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './team.module.css';
import type { RunAfterIdentityCheck } from './after-proof.ts';
import { contactOf, noRecipient, RecipientField, type Recipient } from './recipient-field.tsx';
import { useInvite } from './use-team.ts';

/** Invites a colleague by email or mobile number. The input survives the identity check. */
export function InviteForm({ afterProof }: { afterProof: RunAfterIdentityCheck }) {
  const { t } = useLingui();
  // The server refuses invitations by text here, so the form does not offer them.
  const isEmailOnly = useSession().office?.confirmed === false;
  const { form, name, setName, recipient, setRecipient, isInvalid, invite, submit } = useInviteForm(afterProof);
  const isByEmail = recipient.kind === 'email';

  return (
    <Card title={t`Invite a colleague`}>
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <SecondaryText>
          {t`We’ll send a link. They sign in with a one-time code and join. They’ll see all of this practice’s data. The invitation is good for ${invitationDays} days.`}
        </SecondaryText>
        <div className={css.fields}>
          <TextInput
            label={t`Name (optional)`}
            autoComplete="off"
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <RecipientField recipient={recipient} isInvalid={isInvalid} onChange={setRecipient} />
        </div>
        {isEmailOnly && (
          <SecondaryText>{t`Until your practice is confirmed, you can invite colleagues by email only, not by text.`}</SecondaryText>
        )}
        {invite.isError && (
          <Banner tone="red">{errorMessage(invite.error, t`The server could not be reached.`)}</Banner>
        )}
        <div className={css.buttons}>
          <Button type="submit" variant="filled" icon={SendIcon} busy={invite.isPending}>
            {t`Send invitation`}
          </Button>
          {!(isEmailOnly && isByEmail) && (
            <Button
              variant="subtle"
              icon={isByEmail ? PhoneIcon : MailIcon}
              onClick={() => setRecipient({ ...recipient, kind: isByEmail ? 'phone' : 'email' })}
            >
              {isByEmail ? t`Use Mobile Number` : t`Use Email Address`}
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

/** What was typed, its check, and sending it. */
function useInviteForm(afterProof: RunAfterIdentityCheck) {
  const invite = useInvite();
  const showOutcome = useInvitationToast();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [recipient, setRecipient] = useState(noRecipient);
  const [isInvalid, setIsInvalid] = useState(false);

  const changeRecipient = (changed: Recipient) => {
    setRecipient(changed);
    setIsInvalid(false);
    invite.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const contact = contactOf(recipient);
    if (contact) {
      afterProof(() => send(contact));
      return;
    }
    setIsInvalid(true);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  const send = (contact: { email: string } | { phone: string }) =>
    invite.mutate(
      { ...contact, ...(name.trim() && { name: name.trim() }) },
      {
        onSuccess({ sentAt }) {
          setName('');
          setRecipient({ ...noRecipient, kind: recipient.kind });
          showOutcome(sentAt);
        },
      },
    );
  return { form, name, setName, recipient, setRecipient: changeRecipient, isInvalid, invite, submit };
}

/** Shows whether the invitation was sent. */
function useInvitationToast() {
  const { t } = useLingui();
  return (sentAt: string | null) =>
    void toast(
      sentAt === null
        ? {
            tone: 'red',
            title: t`The invitation could not be sent`,
            text: t`Check that the email address or phone number is right.`,
          }
        : {
            title: t`Invitation sent`,
            text: t`They join by signing in with that address or number and pressing Join.`,
          },
    );
}
