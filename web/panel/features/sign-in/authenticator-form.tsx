import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { unlockWithAuthenticator } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/session.ts';
import { call, CallError } from '#web/kit/call.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';

/** Asks for the code of the authenticator app, or for a recovery code instead. */
export function AuthenticatorForm({ onProved }: { onProved: (session: Session) => void }) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const confirm = useMutation({
    mutationFn: (entered: string) => call(unlockWithAuthenticator, { body: { code: entered } }),
    onSuccess: onProved,
    onError: (error) => {
      if (error instanceof CallError && error.code === 'wrong_code')
        setWrong(t`That code is wrong or was already used.`);
      form.current?.querySelector('input')?.select();
    },
  });
  const tryCode = (entered: string) => {
    if (confirm.isPending) return;
    if (entered.trim().length >= 6) confirm.mutate(entered.trim());
    else setWrong(recovering ? t`A recovery code has ten letters and digits.` : t`The code has six digits.`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tryCode(code);
  };
  const edit = (entered: string) => {
    setCode(entered);
    setWrong(undefined);
  };
  const other = () => {
    setRecovering(!recovering);
    edit('');
    confirm.reset();
  };
  const field = { value: code, error: wrong, autoFocus: true, name: 'code' };

  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      {recovering ? (
        <TextInput
          key="recovery"
          {...field}
          label={t`Recovery code`}
          hint={t`One of the codes you saved when you set up the app. Each works once.`}
          size="l"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          onChange={(event) => edit(event.target.value)}
        />
      ) : (
        <CodeInput
          key="app"
          {...field}
          label={t`Code from your authenticator app`}
          onChange={edit}
          onComplete={tryCode}
        />
      )}
      <ErrorText error={wrong === undefined ? confirm.error : null} />
      <Button type="submit" variant="filled" size="l" block busy={confirm.isPending}>
        {t`Confirm`}
      </Button>
      <Button variant="subtle" onClick={other}>
        {recovering ? t`Use the authenticator app` : t`Use a recovery code`}
      </Button>
    </form>
  );
}
