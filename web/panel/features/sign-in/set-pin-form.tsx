import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { pinRefusals } from '#contract/refusals/pin.ts';
import { isGuessablePin, pinLength, setPin as setPinCall } from '#contract/sign-in/pin.ts';
import type { Security } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/session.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import css from './form.module.css';

interface SetPinFormProps {
  /** The methods this person can confirm their identity with. */
  ways: Session['unlockBy'];
  onSet: (security: Security) => void;
}

/**
 * Sets the PIN of this person on this device. It is typed twice, because dots hide a slip. If the last proof of identity is too old when it
 * is sent, it asks for a new one and goes on with what was typed.
 */
export function SetPinForm({ ways, onSet }: SetPinFormProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [pinError, setPinError] = useState<string>();
  const [againError, setAgainError] = useState<string>();
  const save = useMutation({ mutationFn: () => call(setPinCall, { body: { pin } }), onSuccess: onSet });
  const judge = (digits: string) => {
    if (digits.length < pinLength) return t`The PIN has six digits.`;
    return isGuessablePin(digits) ? pinRefusals.pin_guessable[language] : undefined;
  };
  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const complete = (digits: string) => {
    const problem = judge(digits);
    setPinError(problem);
    if (problem === undefined) focus('pin-again');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const problem = judge(pin);
    setPinError(problem);
    if (problem !== undefined) return focus('pin');
    if (again === pin) return save.mutate();
    setAgainError(t`The two PINs are not the same.`);
    focus('pin-again');
  };
  if (save.error instanceof CallError && save.error.code === 'proof_needed')
    return (
      <div className={css.form}>
        <p ref={(text) => text?.focus()} tabIndex={-1}>
          {t`For your security, please verify that it’s you before we make this change.`}
        </p>
        <ConfirmIdentity ways={ways} onProved={() => save.mutate()} />
      </div>
    );
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <CodeInput
        secret
        length={pinLength}
        label={t`Six-digit PIN`}
        name="pin"
        autoFocus
        value={pin}
        error={pinError}
        onChange={(digits) => {
          setPin(digits);
          setPinError(undefined);
        }}
        onComplete={complete}
      />
      <CodeInput
        secret
        length={pinLength}
        label={t`Repeat the PIN`}
        name="pin-again"
        value={again}
        error={againError}
        onChange={(digits) => {
          setAgain(digits);
          setAgainError(undefined);
        }}
      />
      <ErrorText error={save.error} />
      <Button type="submit" variant="filled" size="l" block busy={save.isPending}>
        {t`Set PIN`}
      </Button>
    </form>
  );
}
