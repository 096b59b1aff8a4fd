import type { CallError } from './call.ts';
import { noteDisconnected } from './connection.ts';

const retryMs = 5_000;

/** How often a screen reads by itself. Hints keep it up to date; if one is lost, it is right within 20 s, the answer's second included. */
export const pollMs = 19_000;

/**
 * The delay after a failed poll. A 429 is an answer, so the connection is not lost. The phones of one waiting room are refused together, so
 * they spread out.
 */
export function retryDelayMs({ status, retryAfterSeconds = 0 }: CallError): number {
  if (status !== 429) noteDisconnected();
  return Math.max(retryMs, retryAfterSeconds * 1000) + (status === 429 ? Math.random() * retryMs : 0);
}

export interface Poller {
  /** Polls at once; during a poll, once more after it. */
  now(): void;
  stop(): void;
}

/**
 * Calls `look` after `firstMs`, then after the milliseconds it returns (null: never again), and at once when the page becomes visible and when
 * the network is lost or back. `look` gets a signal that aborts when polling stops, and may throw only then.
 */
export function startPolling(look: (signal: AbortSignal) => Promise<number | null>, firstMs: number): Poller {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let under = false;
  let again = false;

  const now = async () => {
    again = under;
    if (under || over.signal.aborted) return;
    under = true;
    clearTimeout(timer);
    const nextMs = await look(over.signal).catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
      return null;
    });
    under = false;
    if (nextMs !== null && !over.signal.aborted) timer = setTimeout(() => void now(), again ? 0 : nextMs);
  };
  const lookNow = () => void now();
  const lookWhenSeen = () => document.visibilityState === 'visible' && lookNow();

  timer = setTimeout(lookNow, firstMs);
  document.addEventListener('visibilitychange', lookWhenSeen);
  window.addEventListener('online', lookNow);
  // An answer that was under way still arrives, and would pass for a sign that the server can be reached.
  window.addEventListener('offline', lookNow);
  return {
    now: lookNow,
    stop() {
      over.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookWhenSeen);
      window.removeEventListener('online', lookNow);
      window.removeEventListener('offline', lookNow);
    },
  };
}
