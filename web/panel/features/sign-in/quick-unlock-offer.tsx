import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addPasskey, startPasskey } from '#contract/sign-in/second-ways.ts';
import { call } from '#web/kit/call.ts';
import { hasPasskeys, makePasskey } from '#web/kit/passkeys.ts';
import type { Session } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { KeyIcon } from '#web/icons/key.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';
import { SetPinForm } from './set-pin-form.tsx';

/** Storage key: this person answered the offer in this browser. Desks are shared, so each is asked. */
const answeredKey = ({ person }: Session) => `anteroom.quick-unlock-offered.${person?.id}`;
/** Its name while only a passkey was offered. */
const formerKey = ({ person }: Session) => `anteroom.passkey-offered.${person?.id}`;

/** Who is offered something faster has only the code so far. */
const offeredAfter: Session['unlockBy'] = ['code'];

/** What to offer after an unlock by code; null if this person answered the offer in this browser before. */
export interface QuickUnlock {
  /** This device has a PIN, finger or face check of its own. */
  passkey: boolean;
}

export async function quickUnlockFor(session: Session): Promise<QuickUnlock | null> {
  try {
    if (localStorage.getItem(formerKey(session)) !== null) {
      localStorage.removeItem(formerKey(session));
      rememberAnswer(session);
    }
    if (localStorage.getItem(answeredKey(session)) !== null) return null;
    return { passkey: hasPasskeys() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) };
  } catch {
    return null;
  }
}

function rememberAnswer(session: Session): void {
  try {
    localStorage.setItem(answeredKey(session), 'yes');
  } catch {
    // Storage is disabled: the offer comes again.
  }
}

interface QuickUnlockOfferProps extends QuickUnlock {
  session: Session;
  onDone: () => void;
}

/** After the first unlock with a code on this device: a passkey where the device checks who holds it, else a PIN for this device. */
export function QuickUnlockOffer({ session, passkey, onDone }: QuickUnlockOfferProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const [wantsPin, setWantsPin] = useState(!passkey);
  useEffect(() => heading.current?.focus(), []);
  const finish = () => {
    rememberAnswer(session);
    onDone();
  };
  const withPin = () => {
    toast({ title: t`Your PIN is set` });
    finish();
  };
  return (
    <div className={css.form}>
      <h1 ref={heading} tabIndex={-1} className={css.locked}>
        <KeyIcon size={24} />
        {t`Unlock faster next time?`}
      </h1>
      {wantsPin ? (
        <>
          <p>{t`With a PIN for this device you unlock the panel without a code. It works only here and only for you.`}</p>
          <SetPinForm ways={offeredAfter} onSet={withPin} />
        </>
      ) : (
        <AddPasskey onAdded={finish} />
      )}
      {!wantsPin && (
        <Button size="l" block onClick={() => setWantsPin(true)}>
          {t`Set a PIN for this device`}
        </Button>
      )}
      <Button size="l" block onClick={finish}>
        {t`Not now`}
      </Button>
    </div>
  );
}

function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const { t } = useLingui();
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await call(startPasskey);
      const response = await makePasskey(options);
      return response && call(addPasskey, { body: { response } });
    },
    onSuccess(added) {
      if (!added) return;
      toast({ title: t`Your passkey is ready` });
      onAdded();
    },
  });
  const alreadyHere = add.error?.name === 'InvalidStateError';
  return (
    <>
      <p>{t`With a passkey you unlock with your fingerprint, your face or this device’s PIN. No code to type.`}</p>
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
    </>
  );
}
