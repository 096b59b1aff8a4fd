import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestUnlockPasskey, unlockWithPasskey } from '#contract/sign-in/second-ways.ts';
import { requestUnlockCode, unlockSession, type Session } from '#contract/sign-in/session.ts';
import { call } from '#web/kit/call.ts';
import { hasPasskeys, signWithPasskey } from '#web/kit/passkeys.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { KeyIcon } from '#web/icons/key.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { AuthenticatorForm } from './authenticator-form.tsx';
import { CodeForm } from './code-form.tsx';
import css from './form.module.css';
import { PinForm } from './pin-form.tsx';
import { sentCode, type SentCode } from './sent-code.ts';

interface ConfirmIdentityProps {
  /** The methods this person has. */
  ways: Session['unlockBy'];
  onProved: (session: Session) => void;
}

/** Confirms the signed-in person's identity by passkey, authenticator app or code; on the lock screen also by PIN. */
export function ConfirmIdentity({ ways, onProved }: ConfirmIdentityProps) {
  const { t } = useLingui();
  const [sent, setSent] = useState<SentCode>();
  /** Why there is no PIN anymore. */
  const [pinIsGone, setPinIsGone] = useState<string>();
  const withPasskey = useMutation({
    mutationFn: async () => {
      const { options } = await call(requestUnlockPasskey);
      const response = await signWithPasskey(options);
      return response && call(unlockWithPasskey, { body: { response } });
    },
    onSuccess: (session) => session && onProved(session),
  });
  const ask = useMutation({
    mutationFn: async () => {
      const answer = await call(requestUnlockCode);
      setSent(sentCode(answer.sentTo, answer));
    },
  });
  const confirm = async (code: string) => onProved(await call(unlockSession, { body: { code } }));
  if (sent) return <CodeForm sent={sent} onConfirm={confirm} onResend={() => ask.mutateAsync()} />;

  const byPasskey = ways.includes('passkey') && hasPasskeys();
  const byPin = ways.includes('pin') && pinIsGone === undefined;
  const byApp = ways.includes('authenticator');
  return (
    <div className={css.form}>
      <ErrorText error={withPasskey.error ?? ask.error} />
      {pinIsGone !== undefined && <p role="alert">{pinIsGone}</p>}
      {byPin && <PinForm onProved={onProved} onGone={setPinIsGone} />}
      {byPasskey && (
        <Button
          variant={byPin || byApp ? 'default' : 'filled'}
          size="l"
          block
          icon={KeyIcon}
          busy={withPasskey.isPending}
          onClick={() => withPasskey.mutate()}
        >
          {t`Use a passkey`}
        </Button>
      )}
      {byApp && <AuthenticatorForm onProved={onProved} />}
      {ways.includes('code') && (
        <Button
          variant={byPin || byPasskey || byApp ? 'default' : 'filled'}
          size="l"
          block
          busy={ask.isPending}
          onClick={() => ask.mutate()}
        >
          {t`Send me a code`}
        </Button>
      )}
    </div>
  );
}
