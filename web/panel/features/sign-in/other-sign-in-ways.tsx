import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { startGoogle } from '#contract/sign-in/google.ts';
import { requestPasskey, verifyPasskey } from '#contract/sign-in/second-ways.ts';
import { call } from '#web/kit/call.ts';
import { hasPasskeys, signWithPasskey } from '#web/kit/passkeys.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { GoogleIcon } from '#web/icons/google.tsx';
import { KeyIcon } from '#web/icons/key.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';
import { rememberSignIn } from './signed-in-before.ts';

/** 'Or sign in with': the other identifier, Google if configured, a passkey if the browser supports them and somebody may have one. */
export function OtherSignInWays({
  settingUp = false,
  children,
}: {
  settingUp?: boolean | undefined;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const config = usePublicConfig();
  const google = useMutation({
    mutationFn: () => call(startGoogle),
    onSuccess: ({ url }) => location.assign(url),
  });
  const passkey = useMutation({
    mutationFn: async () => {
      const { options } = await call(requestPasskey);
      const response = await signWithPasskey(options);
      return response && call(verifyPasskey, { body: { response } });
    },
    onSuccess(answer) {
      if (!answer) return;
      rememberSignIn();
      cache.setQueryData(sessionQuery.queryKey, answer.session);
    },
  });
  const withPasskey = !settingUp && hasPasskeys();
  return (
    <>
      <p className={css.other}>{settingUp ? t`Or start with` : t`Or sign in with`}</p>
      {children}
      {(config?.google || withPasskey) && (
        <div className={css.ways}>
          {config?.google && (
            <Button
              size="l"
              icon={GoogleIcon}
              busy={google.isPending || google.isSuccess}
              onClick={() => google.mutate()}
            >
              Google
            </Button>
          )}
          {withPasskey && (
            <Button size="l" icon={KeyIcon} busy={passkey.isPending} onClick={() => passkey.mutate()}>
              {t`Passkey`}
            </Button>
          )}
        </div>
      )}
      <ErrorText error={google.error ?? passkey.error} />
    </>
  );
}
