import { setTimeout as sleep } from 'node:timers/promises';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { RefusalCode } from '#contract/refusals.ts';
import { networkOf } from './client-network.ts';
import { Refusal } from './refusal.ts';

interface Pace {
  perSecond: number;
  /** What a key may ask for at once before it has to wait. */
  burst: number;
  /** Who would have to wait longer is refused. */
  longestWaitMs: number;
}

const mostKeys = 10_000;

/**
 * Counts by key in this process's memory: a refusal costs no database trip. The budgets of `limits` count per hour, and an hour's budget
 * sent in seconds would still keep everybody else waiting.
 */
function openPace({ perSecond, burst, longestWaitMs }: Pace) {
  const burstMs = (burst / perSecond) * 1000;
  /** By key: when all it has sent so far is worked off at its pace. */
  const workedOffAt = new Map<string, number>();
  return {
    longestWaitMs,
    /** Milliseconds that this key's next request has to wait. */
    waitMs: (key: string) => Math.max(0, (workedOffAt.get(key) ?? 0) - burstMs - performance.now()),
    add(key: string, cost: number): void {
      const now = performance.now();
      if (workedOffAt.size >= mostKeys) for (const [old, at] of workedOffAt) if (at <= now) workedOffAt.delete(old);
      workedOffAt.set(key, Math.max(workedOffAt.get(key) ?? 0, now) + (cost / perSecond) * 1000);
    },
  };
}
type OpenPace = ReturnType<typeof openPace>;

/**
 * Resolves when it is this request's turn at every pace. Whoever sends faster waits, and waits for nobody else: of eight connections that
 * ask again at once, each waits a little, and the other phones of the same waiting room still get through. A request whose wait would be
 * too long is refused with `Retry-After` and counts nothing.
 */
async function waitForTurn(
  paces: readonly (readonly [OpenPace, key: string])[],
  cost: number,
  refusal: RefusalCode,
): Promise<void> {
  const waits = paces.map(([pace, key]) => ({ waitMs: pace.waitMs(key), longestWaitMs: pace.longestWaitMs }));
  const waitMs = Math.max(...waits.map((wait) => wait.waitMs));
  if (waits.some((wait) => wait.waitMs > wait.longestWaitMs))
    throw new Refusal(refusal, undefined, Math.ceil(waitMs / 1000));
  for (const [pace, key] of paces) pace.add(key, cost);
  if (waitMs > 0) await sleep(waitMs);
}

export interface BytePace {
  bytesPerSecond: number;
  burstBytes: number;
  /** What a small request counts: parsing and writing it costs more than its bytes. */
  leastBytes: number;
  /** A request without a length counts as this. */
  mostBytes: number;
}

/** Spreads what one network sends over time, by its size, before the bodies are read. */
export function paced({ bytesPerSecond, burstBytes, leastBytes, mostBytes }: BytePace): onRequestAsyncHookHandler {
  const pace = openPace({ perSecond: bytesPerSecond, burst: burstBytes, longestWaitMs: 10_000 });
  return async (req) => {
    const length = Number(req.headers['content-length'] ?? mostBytes);
    const cost = Math.min(Math.max(length || 0, leastBytes), mostBytes);
    await waitForTurn([[pace, networkOf(req.ip)]], cost, 'overloaded');
  };
}

const longestVisitorWaitMs = 5_000;
/**
 * 200 phones behind one NAT that poll every 7 s ask 29 times a second. When the line moves or a server has restarted they all ask at once:
 * then the last of them waits 2.3 s.
 */
const ofNetwork = { perSecond: 60, burst: 60, longestWaitMs: longestVisitorWaitMs };
/** A phone asks every 15 s and when the line moves. Opening the page and its forms takes a dozen requests at once. */
const ofToken = { perSecond: 4, burst: 60, longestWaitMs: longestVisitorWaitMs };

export interface VisitorPace {
  /** Waits for a turn, or throws `too_many_tries`. */
  wait(address: string, token: string | undefined): Promise<void>;
}

/** Paces requests of people who are not signed in, by network and by the token of their link. */
export function openVisitorPace(): VisitorPace {
  const networks = openPace(ofNetwork);
  const tokens = openPace(ofToken);
  return {
    wait(address, token) {
      const byNetwork = [networks, networkOf(address)] as const;
      return waitForTurn(token === undefined ? [byNetwork] : [byNetwork, [tokens, token]], 1, 'too_many_tries');
    },
  };
}

/** Waits for a visitor's turn before anything else is done for the request. */
export const visitorPace: onRequestAsyncHookHandler = async (req) => {
  const { token } = req.params as { token?: string };
  await req.server.services.visitorPace.wait(req.ip, token);
};
