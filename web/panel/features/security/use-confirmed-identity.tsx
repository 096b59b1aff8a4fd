import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { proofMinutes, type Security } from '#contract/sign-in/second-ways.ts';
import { serverNow } from '#web/kit/clock.ts';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { ConfirmIdentity } from '#web/panel/features/sign-in/index.ts';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { refetchSecurity } from './use-security.ts';

/** The methods this person can confirm their identity with. */
export function waysOf({ passkeys, authenticator }: Security): Session['unlockBy'] {
  const hasApp = authenticator.since !== null;
  return [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    // With an authenticator app, a texted or emailed code is not enough.
    ...(hasApp ? (['authenticator'] as const) : (['code'] as const)),
  ];
}

/**
 * Sensitive changes need a recent identity check. `change` runs at once after one of the last `seconds`, else after `question`, the dialog
 * to render. While `security` is loading it also runs at once; the server refuses if needed.
 */
export function useConfirmedIdentity(security: Security | undefined) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [waiting, setWaiting] = useState<() => void>();
  const change = (run: () => void, seconds = proofMinutes * 60) => {
    const until = security && Date.parse(security.provedUntil ?? '') - (proofMinutes * 60 - seconds) * 1000;
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
    <Dialog title={t`Verify it’s you`} size="s" onClose={() => setWaiting(undefined)}>
      <p>{t`For your security, please verify that it’s you before we make this change.`}</p>
      <ConfirmIdentity ways={waysOf(security)} onProved={proved} />
    </Dialog>
  );
  return { change, question };
}
