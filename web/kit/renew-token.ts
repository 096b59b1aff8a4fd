import type { QueryClient } from '@tanstack/react-query';
import { mayRefresh, refreshEveryMs, refreshSession } from '#contract/sign-in/session.ts';
import { call, CallError } from './call.ts';
import { serverNow } from './clock.ts';
import { forgetSession, sessionQuery } from './session.ts';

const retryMs = 5_000;

/**
 * Renews the session's token before it expires, as long as the page is open, locked or not. It does not count as activity. If refused, the
 * person is signed out.
 */
export function renewToken(cache: QueryClient): void {
  let retry: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    const ends = cache.getQueryData(sessionQuery.queryKey)?.tokenExpiresAt;
    if (!ends || !mayRefresh((Date.parse(ends) - serverNow()) / 1000)) return;
    try {
      const { tokenExpiresAt } = await call(refreshSession);
      cache.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, tokenExpiresAt });
    } catch (error) {
      if (!(error instanceof CallError)) return;
      if (error.status === 401) forgetSession(cache);
      // The server may have renewed the token and the answer was lost. It repeats that answer for only 30 s.
      if (error.status === 0) {
        clearTimeout(retry);
        retry = setTimeout(() => void look(), retryMs);
      }
    }
  };
  setInterval(() => void look(), refreshEveryMs);
  document.addEventListener('visibilitychange', () => void look());
}
