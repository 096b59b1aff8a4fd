import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import { emailPattern, usPhonePattern } from '#contract/sign-in/code.ts';
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
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { SecondaryText } from '#web/panel/ui/rows.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './team.module.css';
import type { RunAfterIdentityCheck } from './after-proof.ts';
import { useInvite } from './use-team.ts';

/** Invites a colleague by email or mobile number. The input survives the identity check. */
export function InviteForm({ afterProof }: { afterProof: RunAfterIdentityCheck }) {
  const { t } = useLingui();
  const invite = useInvite();
  const showOutcome = useInvitationToast();
  // The server refuses invitations by text here, so the form does not offer them.
  const isEmailOnly = useSession().office?.confirmed === false;
  const form = useRef<HTMLFormElement>(null);
  const [by, setBy] = useState<'email' | 'phone'>('email');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  const [wrong, setWrong] = useState<string>();

  const forget = () => {
    setWrong(undefined);
    invite.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = by === 'email' ? emailPattern.test(email.trim()) : usPhonePattern.test(`+1${phone}`);
    if (!isRight) {
      setWrong(by === 'email' ? t`Invalid email` : t`Invalid phone number`);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    afterProof(send);
  };
  const send = () => {
    const to = by === 'email' ? { email: email.trim() } : { phone: `+1${phone}` };
    invite.mutate(
      { ...to, ...(name.trim() && { name: name.trim() }) },
      {
        onSuccess({ sentAt }) {
          setName('');
          setEmail('');
          setPhone('');
          showOutcome(sentAt);
        },
      },
    );
  };
  const other = () => {
    setBy(by === 'email' ? 'phone' : 'email');
    forget();
  };

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
          {by === 'email' ? (
            <TextInput
              label={t`Email Address`}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              value={email}
              {...(wrong && { error: wrong })}
              onChange={(event) => {
                setEmail(event.target.value);
                forget();
              }}
            />
          ) : (
            <PhoneInput
              label={t`Mobile Number`}
              autoComplete="off"
              value={phone}
              {...(wrong && { error: wrong })}
              onChange={(digits) => {
                setPhone(digits);
                forget();
              }}
            />
          )}
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
          {!(isEmailOnly && by === 'email') && (
            <Button variant="subtle" icon={by === 'email' ? PhoneIcon : MailIcon} onClick={other}>
              {by === 'email' ? t`Use Mobile Number` : t`Use Email Address`}
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
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
