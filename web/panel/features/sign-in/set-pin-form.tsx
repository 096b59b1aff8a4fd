import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { isGuessablePin, setPin as setPinCall } from '#contract/sign-in/pin.ts';
import type { Security } from '#contract/sign-in/second-ways.ts';
import { call } from '#web/kit/call.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';

/** Sets the PIN of this person on this device. It is typed twice, because dots hide a slip. */
export function SetPinForm({ onSet }: { onSet: (security: Security) => void }) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [pinError, setPinError] = useState<string>();
  const [againError, setAgainError] = useState<string>();
  const save = useMutation({ mutationFn: () => call(setPinCall, { body: { pin } }), onSuccess: onSet });
  const judge = (digits: string) => {
    if (digits.length < 6) return t`The PIN has six digits.`;
    return isGuessablePin(digits) ? t`That PIN is too easy to guess. Choose another one.` : undefined;
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
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <CodeInput
        secret
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
