import type { QueryClient } from '@tanstack/react-query';
import { mayRefresh, refreshEveryMs, refreshSession } from '#contract/session.ts';
import { call, CallError } from './call.ts';
import { serverNow } from './clock.ts';
import { goOut, sessionQuery } from './session.ts';

/** Renews the session's token before it ends, for as long as the page is open, locked or not. Nobody's activity. Refused, the person is signed out. */
export function keepToken(cache: QueryClient): void {
  const look = async () => {
    const ends = cache.getQueryData(sessionQuery.queryKey)?.tokenExpiresAt;
    if (!ends || !mayRefresh((Date.parse(ends) - serverNow()) / 1000)) return;
    try {
      const { tokenExpiresAt } = await call(refreshSession);
      cache.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, tokenExpiresAt });
    } catch (error) {
      // Out of reach is no refusal: the next time comes, or the next call is told that the session is over.
      if (error instanceof CallError && error.status === 401) goOut(cache);
    }
  };
  setInterval(() => void look(), refreshEveryMs);
  document.addEventListener('visibilitychange', () => void look());
}
