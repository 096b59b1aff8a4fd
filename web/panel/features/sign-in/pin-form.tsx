import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { pinLength, unlockWithPin } from '#contract/sign-in/pin.ts';
import { call, CallError } from '#web/kit/call.ts';
import type { Session } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';

interface PinFormProps {
  onProved: (session: Session) => void;
  /** The PIN was removed, so another way is needed: `why` says it. */
  onGone: (why: string) => void;
}

/** Asks for the PIN of this person on this device. */
export function PinForm({ onProved, onGone }: PinFormProps) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [pin, setPin] = useState('');
  const [wrong, setWrong] = useState<string>();
  const confirm = useMutation({
    mutationFn: (entered: string) => call(unlockWithPin, { body: { pin: entered } }),
    onSuccess: onProved,
    onError: (error) => {
      if (!(error instanceof CallError)) return;
      if (error.code === 'pin_missing') return onGone(error.message);
      if (error.code !== 'wrong_pin') return;
      setWrong(error.message);
      setPin('');
      form.current?.querySelector('input')?.focus();
    },
  });
  const tryPin = (digits: string) => {
    if (confirm.isPending) return;
    if (digits.length === pinLength) confirm.mutate(digits);
    else setWrong(t`The PIN has six digits.`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tryPin(pin);
  };
  const edit = (digits: string) => {
    setPin(digits);
    setWrong(undefined);
  };
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <CodeInput
        secret
        length={pinLength}
        label={t`Your PIN`}
        name="pin"
        autoFocus
        value={pin}
        error={wrong}
        onChange={edit}
        onComplete={tryPin}
      />
      <ErrorText error={wrong === undefined ? confirm.error : null} />
      <Button type="submit" variant="filled" size="l" block busy={confirm.isPending}>
        {t`Unlock`}
      </Button>
    </form>
  );
}
