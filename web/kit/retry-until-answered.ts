import { CallError } from './call.ts';

const pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000];

/** An Idempotency-Key for a call that may be retried. (`crypto.randomUUID` needs HTTPS, which a phone on a test network lacks.) */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A uuid of a thing that this page makes, so that creating it twice creates it once. */
export function newUuid(): string {
  const hex = newKey();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A wait of a few seconds is retried here. A longer one is shown to the person. */
const shortWaitSeconds = 10;

/**
 * Retries until there is an answer: while the network or the server is unavailable or busy, and at once when the phone is online again. A
 * refusal is an answer. Throws the signal's reason when it is aborted.
 */
export async function retryUntilAnswered<R>(send: () => Promise<R>, signal: AbortSignal): Promise<R> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof CallError) || !mayAnswerLater(error)) throw error;
      const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 15_000;
      await pause(Math.max(pauseMs, (error.retryAfterSeconds ?? 0) * 1000), signal);
    }
  }
}

const mayAnswerLater = ({ status, retryAfterSeconds = Infinity }: CallError) =>
  status === 0 || (status > 500 && status < 600) || (status === 429 && retryAfterSeconds <= shortWaitSeconds);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
