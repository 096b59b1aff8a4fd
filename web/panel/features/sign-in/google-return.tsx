import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { finishGoogle } from '#contract/sign-in/google.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form.module.css';
import { FrontPage, type FrontPageFrame } from './front-page.tsx';
import { rememberSignIn } from './signed-in-before.ts';

/** Google's redirect page: sends the address's parameters to the server once and signs in. */
export function GoogleReturn({ onSignedIn, ...frame }: FrontPageFrame & { onSignedIn: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  useTitle(t`Sign In`);
  const { mutate, error } = useMutation({
    mutationFn: (search: string) => call(finishGoogle, { body: { search } }),
    onSuccess: ({ session }) => {
      rememberSignIn();
      cache.setQueryData(sessionQuery.queryKey, session);
      onSignedIn();
    },
  });
  const handedOver = useRef(false);
  useEffect(() => {
    if (handedOver.current) return;
    handedOver.current = true;
    const { search } = location;
    // Removes Google's parameters from the address and the history.
    history.replaceState(history.state, '', location.pathname);
    mutate(search);
  }, [mutate]);
  return (
    <FrontPage {...frame}>
      <h1>{t`Welcome!`}</h1>
      {error ? (
        <>
          <ErrorText error={error} />
          <a href="/" className={buttonClass({ variant: 'filled', size: 'l', block: true })}>
            <span>{t`Back to sign-in`}</span>
          </a>
        </>
      ) : (
        <p role="status" className={css.waiting}>
          <Spinner />
          {t`Signing you in with Google…`}
        </p>
      )}
    </FrontPage>
  );
}
