import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { stayActive } from '#contract/sign-in.ts';
import { call } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { sessionQuery } from '#web/kit/session.ts';

const touches = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
const sayAtMostEveryMs = 60_000;

/**
 * The panel locks when nobody touches it. Only real input counts, told to the server once a minute; polls and pushes do
 * not. When the time has come the server is asked: another tab may have been in use.
 */
export function useAutoLock(locksAt: string | null | undefined): void {
  const cache = useQueryClient();

  useEffect(() => {
    let saidAt = 0;
    const touched = async (event: Event) => {
      if (!event.isTrusted || Date.now() - saidAt < sayAtMostEveryMs) return;
      saidAt = Date.now();
      const answer = await call(stayActive).catch(() => undefined);
      const session = cache.getQueryData(sessionQuery.queryKey);
      if (answer && session) cache.setQueryData(sessionQuery.queryKey, { ...session, locksAt: answer.locksAt });
    };
    for (const touch of touches) addEventListener(touch, touched, { passive: true, capture: true });
    return () => {
      for (const touch of touches) removeEventListener(touch, touched, { capture: true });
    };
  }, [cache]);

  useEffect(() => {
    if (!locksAt) return;
    const look = () => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const timer = setTimeout(look, Math.max(0, Date.parse(locksAt) - serverNow()) + 500);
    return () => clearTimeout(timer);
  }, [locksAt, cache]);
}
