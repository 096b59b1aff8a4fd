import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { startAuthenticator } from '#contract/sign-in/second-ways.ts';
import { call, CallError } from '#web/kit/call.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { SecondaryText } from '#web/panel/ui/rows.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import css from './security.module.css';
import { useConfirmAuthenticator } from './use-security.ts';

/** Sets up an authenticator app: scan, confirm with a first code, save the recovery codes. */
export function AuthenticatorSetup({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const started = useQuery({
    queryKey: ['security', 'new-authenticator'],
    queryFn: () => call(startAuthenticator),
    // Fetched once per dialog: a refetch would create another secret.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const confirm = useConfirmAuthenticator();
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recoveryCodes} onDone={onDone} />;
  if (!started.data) return started.isError ? <ErrorText error={started.error} /> : <Skeleton height={320} />;

  const tryCode = (digits: string) => {
    if (confirm.isPending) return;
    if (digits.length !== 6) return setWrong(t`The code has six digits.`);
    confirm.mutate(digits, {
      onError: (error) => {
        if (error instanceof CallError && error.code === 'wrong_code')
          setWrong(
            t`That code isn’t valid right now. Check that your phone’s clock is correct, then enter the next code.`,
          );
        form.current?.querySelector('input')?.select();
      },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tryCode(code);
  };
  const edit = (digits: string) => {
    setCode(digits);
    setWrong(undefined);
  };
  const { secret, qrSvg } = started.data;
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <ol className={css.steps}>
        <li>{t`Open an authenticator app on your phone and scan this code.`}</li>
        <li>{t`Enter the six digits the app shows.`}</li>
      </ol>
      <img
        className={css.qr}
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
        alt={t`QR code for the authenticator app`}
      />
      <SecondaryText>
        <Trans>
          Cannot scan it? Type this key into the app:{' '}
          <code className={css.secret}>
            <bdi dir="ltr">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</bdi>
          </code>
        </Trans>
      </SecondaryText>
      <CodeInput
        label={t`Code from your authenticator app`}
        name="code"
        autoFocus
        value={code}
        error={wrong}
        onChange={edit}
        onComplete={tryCode}
      />
      <ErrorText error={wrong === undefined ? confirm.error : null} />
      <Button type="submit" variant="filled" block busy={confirm.isPending}>
        {t`Confirm`}
      </Button>
    </form>
  );
}
