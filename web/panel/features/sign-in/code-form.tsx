import { Trans, useLingui } from '@lingui/react/macro';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { CodeStatus } from './code-status.tsx';
import css from './form.module.css';
import { useCodeForm, type CodeCalls } from './use-code-form.ts';

interface CodeFormProps extends CodeCalls {
  /** Other actions, below the form. */
  children?: ReactNode;
}

/** Asks for the confirmation code and submits it at six digits. The input stays until the code is right. */
export function CodeForm({ children, ...calls }: CodeFormProps) {
  const { t } = useLingui();
  const { sent } = calls;
  const { form, code, edit, submit, isConfirming, resend, fieldError, isWrong, error } = useCodeForm(calls);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(code);
  };
  const recipient = (
    <strong className={css.sentTo}>
      <bdi>{sent.to}</bdi>
    </strong>
  );

  return (
    <form ref={form} className={css.form} noValidate onSubmit={onSubmit}>
      <p className={css.lead}>
        <Trans>Enter the confirmation code sent to {recipient}</Trans>
      </p>
      <CodeInput
        label={t`Verification Code`}
        name="code"
        autoFocus
        value={code}
        error={fieldError}
        invalid={isWrong || fieldError !== undefined}
        onChange={edit}
        onComplete={submit}
      />
      <ErrorText error={error} />
      <CodeStatus sent={sent} isResending={resend.isPending} onResend={() => resend.mutate()} />
      <Button type="submit" variant="filled" size="l" block busy={isConfirming}>
        {t`Confirm`}
      </Button>
      {children}
    </form>
  );
}
