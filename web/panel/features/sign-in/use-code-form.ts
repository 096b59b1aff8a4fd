import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { triesPerCode } from '#contract/sign-in/code.ts';
import { CallError } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useErrorMessage } from '#web/panel/ui/trouble.tsx';
import type { SentCode } from './sent-code.ts';

export interface CodeCalls {
  sent: SentCode;
  /** Submits the code; the form shows what it throws. */
  onConfirm: (code: string) => Promise<void>;
  /** Requests another code. */
  onResend: () => Promise<void>;
}

/** The typed code, submitting it, and requesting another one. */
export function useCodeForm({ sent, onConfirm, onResend }: CodeCalls) {
  const { t } = useLingui();
  const messageOf = useErrorMessage();
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState('');
  const [fieldError, setFieldError] = useState<string>();
  /** The toast says that the code is wrong; the field is only marked. */
  const [isWrong, setWrong] = useState(false);
  const wrongTries = useRef(0);
  const lastWrong = useRef('');

  const hintForWrongCode = (tries: number) => {
    if (Date.parse(sent.expiresAt) <= serverNow()) return t`Code expired - click 're-send code'`;
    if (tries >= triesPerCode) return t`Too many tries with this code - click 're-send code'`;
    return undefined;
  };
  const confirm = useMutation({
    mutationFn: onConfirm,
    onError: (error, entered) => {
      if (!(error instanceof CallError)) return;
      if (error.code === 'wrong_code') {
        lastWrong.current = entered;
        setWrong(true);
        // The specification's own spelling.
        toast({ tone: 'red', seconds: 2, title: t`Error`, text: t`Incorrect confimation code` });
        // The server gives no reason: it would reveal that somebody requested a code.
        setFieldError(hintForWrongCode(++wrongTries.current));
      }
      if (error.code === 'code_expired' || error.code === 'code_used_up') setFieldError(messageOf(error));
      form.current?.querySelector('input')?.select();
    },
  });
  const resend = useMutation({
    mutationFn: onResend,
    onSuccess: () => {
      setCode('');
      setFieldError(undefined);
      setWrong(false);
      wrongTries.current = 0;
      lastWrong.current = '';
      confirm.reset();
      const recipient = sent.to;
      toast({ seconds: 2, title: t`Code sent to ${recipient}` });
      form.current?.querySelector('input')?.focus();
    },
  });

  const submit = (digits: string) => {
    // Enter after the sixth digit has already submitted it.
    if (confirm.isPending || (isWrong && digits === lastWrong.current)) return;
    resend.reset();
    if (digits.length === 6) confirm.mutate(digits);
    else setFieldError(t`The code has six digits.`);
  };
  const edit = (digits: string) => {
    setCode(digits);
    setFieldError(undefined);
    setWrong(false);
  };
  const isShownAtField = confirm.error instanceof CallError && /^(wrong_code|code_)/.test(confirm.error.code);
  return {
    form,
    code,
    edit,
    submit,
    isConfirming: confirm.isPending,
    resend,
    fieldError,
    isWrong,
    /** An error that is not about the code. */
    error: isShownAtField ? resend.error : (confirm.error ?? resend.error),
  };
}
