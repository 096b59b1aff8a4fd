import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { triesPerCode } from '#contract/sign-in/code.ts';
import { CallError } from '#web/kit/call.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { formatCountdown, useSecondsLeft } from '#web/panel/ui/countdown.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './form.module.css';
import type { SentCode } from './sent-code.ts';
import { ErrorText, useErrorMessage } from '#web/panel/ui/trouble.tsx';

interface CodeFormProps {
  sent: SentCode;
  /** Submits the code; the form shows what it throws. */
  onConfirm: (code: string) => Promise<void>;
  /** Requests another code. */
  onResend: () => Promise<void>;
  /** Other actions, below the form. */
  children?: ReactNode;
}

/** Asks for the confirmation code and submits it at six digits. The input stays until the code is right. */
export function CodeForm({ sent, onConfirm, onResend, children }: CodeFormProps) {
  const { t } = useLingui();
  const say = useErrorMessage();
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const left = useSecondsLeft(sent.expiresAt);
  const pause = useSecondsLeft(sent.resendAt);
  const expired = left === 0;
  const wrongTries = useRef(0);

  const hintForWrongCode = (tries: number) => {
    if (expired) return t`Code expired - click 're-send code'`;
    if (tries >= triesPerCode) return t`Too many tries with this code - click 're-send code'`;
    return t`Check the code, or ask for a new one.`;
  };
  const confirm = useMutation({
    mutationFn: onConfirm,
    onError: (error) => {
      if (!(error instanceof CallError)) return;
      if (error.code === 'wrong_code')
        toast({ tone: 'red', seconds: 2, title: t`Error`, text: t`Incorrect confimation code` });
      // The server gives no reason: it would reveal that somebody requested a code.
      if (error.code === 'wrong_code') setWrong(hintForWrongCode(++wrongTries.current));
      if (error.code === 'code_expired' || error.code === 'code_used_up') setWrong(say(error));
      form.current?.querySelector('input')?.select();
    },
  });
  const resend = useMutation({
    mutationFn: onResend,
    onSuccess: () => {
      setCode('');
      setWrong(undefined);
      wrongTries.current = 0;
      confirm.reset();
      toast({ seconds: 2, title: t`Code sent` });
      form.current?.querySelector('input')?.focus();
    },
  });

  const tryCode = (digits: string) => {
    if (confirm.isPending) return;
    resend.reset();
    if (digits.length === 6) confirm.mutate(digits);
    else setWrong(t`The code has six digits.`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tryCode(code);
  };
  const edit = (digits: string) => {
    setCode(digits);
    setWrong(undefined);
  };
  const saidAtField = confirm.error instanceof CallError && /^(wrong_code|code_)/.test(confirm.error.code);
  const recipient = (
    <strong className={css.sentTo}>
      <bdi>{sent.to}</bdi>
    </strong>
  );

  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <p className={css.lead}>
        <Trans>Enter the confirmation code sent to {recipient}</Trans>
      </p>
      <CodeInput
        label={t`Verification Code`}
        name="code"
        autoFocus
        value={code}
        error={wrong}
        onChange={edit}
        onComplete={tryCode}
      />
      <ErrorText error={saidAtField ? resend.error : (confirm.error ?? resend.error)} />
      <div className={css.time}>
        <div>
          <span role="status" className={css.expired}>
            {expired && t`Code expired - click 're-send code'`}
          </span>
          {!expired && (
            <span role="timer">
              <Trans>
                Code expires in <bdi dir="ltr">{formatCountdown(left)}</bdi>
              </Trans>
            </span>
          )}
        </div>
        <Button size="s" variant="subtle" busy={resend.isPending} locked={pause > 0} onClick={() => resend.mutate()}>
          {t`Re-send code`}
          {pause > 0 && (
            <span aria-hidden className={css.pause}>
              {t`${pause} s`}
            </span>
          )}
        </Button>
      </div>
      <Button type="submit" variant="filled" size="l" block busy={confirm.isPending}>
        {t`Confirm`}
      </Button>
      {children}
    </form>
  );
}
