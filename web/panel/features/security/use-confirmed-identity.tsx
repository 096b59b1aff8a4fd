import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Security } from '#contract/sign-in/second-ways.ts';
import { serverNow } from '#web/kit/clock.ts';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { refetchSecurity } from './use-security.ts';

/** Shows the ways to prove who one is, and calls back when it is done. */
export type RenderIdentityCheck = (ways: Session['unlockBy'], onProved: (session: Session) => void) => ReactNode;

/** How this person can prove who they are. */
export function waysOf({ passkeys, authenticator }: Security): Session['unlockBy'] {
  const hasApp = authenticator.since !== null;
  return [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    // A code alone is no proof for who has the app.
    ...(hasApp ? (['authenticator'] as const) : (['code'] as const)),
  ];
}

/**
 * Sensitive changes need a fresh proof of identity: `change` runs at once if there is one, else after the question, which is the
 * element to show. While `security` is not loaded it runs at once too, and the server refuses if it must.
 */
export function useConfirmedIdentity(security: Security | undefined, prove: RenderIdentityCheck) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [waiting, setWaiting] = useState<() => void>();
  const change = (run: () => void) => {
    const until = security && Date.parse(security.provedUntil ?? '');
    if (until === undefined || until > serverNow() + 5_000) run();
    else setWaiting(() => run);
  };
  const proved = (session: Session) => {
    cache.setQueryData(sessionQuery.queryKey, session);
    void refetchSecurity(cache);
    setWaiting(undefined);
    waiting?.();
  };
  const question = waiting && security && (
    <Dialog title={t`Confirm it is you`} size="s" onClose={() => setWaiting(undefined)}>
      {prove(waysOf(security), proved)}
    </Dialog>
  );
  return { change, question };
}
