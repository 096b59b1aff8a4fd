import type { CallError } from './call.ts';
import { noteDisconnected } from './connection.ts';

const retryMs = 5_000;

/**
 * How long to wait after a look that failed. A server that asks us to slow down (429) has answered: the connection is not lost. The phones
 * of one waiting room are refused together, so they spread out.
 */
export function retryDelayMs({ status, retryAfterSeconds = 0 }: CallError): number {
  if (status !== 429) noteDisconnected();
  return Math.max(retryMs, retryAfterSeconds * 1000) + (status === 429 ? Math.random() * retryMs : 0);
}

export interface Poller {
  /** Looks at once; while a look is under way, once more after it. */
  now(): void;
  stop(): void;
}

/**
 * Calls `look` after `firstMs`, then again after the milliseconds it answers (null: never more), and at once when the page is
 * seen again or the network is back. `look` gets a signal that says when it is over, and may throw only then.
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
  window.addEventListener('offline', noteDisconnected);
  return {
    now: lookNow,
    stop() {
      over.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookWhenSeen);
      window.removeEventListener('online', lookNow);
      window.removeEventListener('offline', noteDisconnected);
    },
  };
}
