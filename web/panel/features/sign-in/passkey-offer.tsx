import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { addPasskey, startPasskey } from '#contract/sign-in/second-ways.ts';
import { call } from '#web/kit/call.ts';
import { hasPasskeys, makePasskey } from '#web/kit/passkeys.ts';
import type { Session } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { KeyIcon } from '#web/icons/key.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';

/** Storage key: this person answered the offer in this browser. Desks are shared, so each is asked. */
const answeredKey = ({ person }: Session) => `anteroom.passkey-offered.${person?.id}`;

/** Whether to offer a passkey: this device has a PIN, finger or face check of its own, and nobody answered the offer before. */
export async function canOfferPasskey(session: Session): Promise<boolean> {
  try {
    if (!hasPasskeys() || localStorage.getItem(answeredKey(session)) !== null) return false;
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  } catch {
    return false;
  }
}

function rememberAnswer(session: Session): void {
  try {
    localStorage.setItem(answeredKey(session), 'yes');
  } catch {
    // Storage is disabled: the offer comes again.
  }
}

/** After the first unlock with a code on this device: a passkey makes the next one quicker. */
export function PasskeyOffer({ session, onDone }: { session: Session; onDone: () => void }) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const finish = () => {
    rememberAnswer(session);
    onDone();
  };
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await call(startPasskey);
      const response = await makePasskey(options);
      return response && call(addPasskey, { body: { response } });
    },
    onSuccess(added) {
      if (!added) return;
      toast({ title: t`Your passkey is ready` });
      finish();
    },
  });
  const alreadyHere = add.error?.name === 'InvalidStateError';
  return (
    <div className={css.form}>
      <h1 ref={heading} tabIndex={-1} className={css.locked}>
        <KeyIcon size={24} />
        {t`Unlock faster next time?`}
      </h1>
      <p>{t`With a passkey you unlock with this device’s PIN, your finger or your face. No code to type.`}</p>
      <p className={css.lead}>{t`It also signs you in. Add it only if nobody else knows this device’s PIN.`}</p>
      {add.isSuccess && !add.data && <p role="status">{t`Nothing was added. Try again when you are ready.`}</p>}
      {alreadyHere ? (
        <p role="alert">{t`This device already has a passkey for your account.`}</p>
      ) : (
        <ErrorText error={add.error} />
      )}
      <Button variant="filled" size="l" block icon={KeyIcon} busy={add.isPending} onClick={() => add.mutate()}>
        {t`Add a passkey`}
      </Button>
      <Button size="l" block onClick={finish}>
        {t`Not now`}
      </Button>
    </div>
  );
}
