import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { stayActive } from '#contract/sign-in/session.ts';
import { call } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { lockPanel, refetchSessionAfterRefusal, sessionQuery, useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Countdown } from '#web/panel/ui/countdown.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { watchActivity } from './watch-activity.ts';

const warnMs = 60_000;

/**
 * Locks the idle panel after a one-minute warning. It asks the server before both, since another tab may have been active.
 * It also locks when the server cannot be reached.
 */
export function AutoLock() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { locksAt, expiresAt } = useSession();
  const [warnedOf, setWarnedOf] = useState<string>();

  const isWarning = locksAt !== null && warnedOf === locksAt;
  const isAsked = useRef(false);
  useEffect(() => {
    isAsked.current = isWarning;
  }, [isWarning]);

  const report = useCallback(
    (secondsAgo: number) => {
      call(stayActive, { body: { secondsAgo: Math.floor(secondsAgo) } }).then(
        ({ locksAt: later }) =>
          cache.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, locksAt: later }),
        (error: unknown) => refetchSessionAfterRefusal(cache, error),
      );
    },
    [cache],
  );
  // Only an answer closes the warning: if the way to its button did, the press would land on what is behind it.
  useEffect(() => watchActivity(report, () => isAsked.current), [report]);
  useEffect(() => {
    if (!locksAt) return;
    const look = () => cache.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const warn = async () => {
      const session = await look().catch(() => undefined);
      if (session === undefined || session.locksAt === locksAt) setWarnedOf(locksAt);
    };
    const lockHere = () =>
      look().catch(() =>
        cache.setQueryData(
          sessionQuery.queryKey,
          (session) => session && { ...session, gate: { to: '/', because: 'locked' as const } },
        ),
      );
    const end = Date.parse(locksAt);
    const stopWarning = at(end - warnMs, () => void warn());
    const stopLocking = at(end + 300, () => void lockHere());
    return () => {
      stopWarning();
      stopLocking();
    };
  }, [locksAt, cache]);

  useEffect(() => {
    if (expiresAt)
      return at(Date.parse(expiresAt) + 300, () => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  }, [expiresAt, cache]);

  if (!isWarning) return null;
  const stay = () => {
    setWarnedOf(undefined);
    report(0);
  };
  const footer = (
    <>
      <Button onClick={() => void lockPanel(cache).catch(() => undefined)}>{t`Lock now`}</Button>
      <Button variant="filled" data-autofocus onClick={stay}>
        {t`Stay signed in`}
      </Button>
    </>
  );
  return (
    <Dialog title={t`Are you still there?`} role="alertdialog" size="s" onClose={stay} footer={footer}>
      <p>
        <Trans>
          The panel hasn’t been used for a while. It locks in <Countdown until={locksAt} />.
        </Trans>
      </p>
    </Dialog>
  );
}

/** Runs at a time of the server's clock, even if the computer slept through it. Returns a function that cancels it. */
function at(time: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    const left = time - serverNow();
    if (left <= 0) off();
    if (left <= 0) run();
    else timer = setTimeout(wait, Math.min(left, 30_000));
  };
  const off = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wait);
  };
  document.addEventListener('visibilitychange', wait);
  timer = setTimeout(wait, 0);
  return off;
}
