import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { requestUnlockCode, unlockSession } from '#contract/sign-in.ts';
import { call } from '#web/kit/call.ts';
import { forgetPatients, sessionQuery, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { LockIcon } from '#web/ui/plain/icons.tsx';
import { CodeForm } from './code-form.tsx';
import css from './form.module.css';
import { FrontPage, type Frame } from './front-page.tsx';
import { sentCode, type Sent } from './sent.ts';
import { SignOutButton } from './sign-out-button.tsx';
import { Trouble } from './trouble.tsx';

/** The other tabs of the same session look again when one of them was unlocked. */
const unlockedElsewhere = 'anteroom.unlocked';

/** Stands in place of the panel when nobody touched it for a while. Nothing of a patient is left behind it; the session goes on after a code. */
export function LockScreen({ arrivals, ...frame }: Frame & { arrivals: ReactNode }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { person, office } = useSession();
  const [sent, setSent] = useState<Sent>();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(t`Locked`);
  useEffect(() => {
    forgetPatients(cache);
    heading.current?.focus();
  }, [cache]);

  useEffect(() => {
    const look = (event: StorageEvent) => {
      if (event.key === unlockedElsewhere) void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener('storage', look);
    return () => removeEventListener('storage', look);
  }, [cache]);

  const ask = useMutation({
    mutationFn: async () => {
      const answer = await call(requestUnlockCode);
      setSent(sentCode(answer.sentTo, answer));
    },
  });
  const confirm = async (code: string) => {
    cache.setQueryData(sessionQuery.queryKey, await call(unlockSession, { body: { code } }));
    localStorage.setItem(unlockedElsewhere, String(Date.now()));
  };
  const name = <strong>{person?.name}</strong>;

  return (
    <FrontPage {...frame}>
      <h1 ref={heading} tabIndex={-1} className={css.locked}>
        <LockIcon size={24} />
        {t`Locked`}
      </h1>
      <p>
        {office?.officeName}
        <br />
        <Trans>Signed in as {name}</Trans>
      </p>
      <p role="status" className={css.arrivals}>
        {arrivals}
      </p>
      {sent ? (
        <CodeForm sent={sent} onConfirm={confirm} onResend={() => ask.mutateAsync()} />
      ) : (
        <>
          <p className={css.lead}>{t`Confirm it is you to go on where you left off.`}</p>
          <Trouble error={ask.error} />
          <Button variant="filled" size="l" block busy={ask.isPending} onClick={() => ask.mutate()}>
            {t`Send me a code`}
          </Button>
        </>
      )}
      <SignOutButton />
    </FrontPage>
  );
}
