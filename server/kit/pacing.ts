import type { onRequestAsyncHookHandler } from 'fastify';
import { networkOf } from './network.ts';
import { Refusal } from './refusal.ts';

export interface Pace {
  bytesPerSecond: number;
  /** What a network may send at once before it has to wait. */
  burstBytes: number;
  /** What a small request counts: parsing and writing it costs more than its bytes. */
  leastBytes: number;
  /** A request without a length counts as this. */
  mostBytes: number;
}

const longestWaitMs = 10_000;
const mostNetworks = 10_000;

/**
 * Spreads the requests of one network over time before their bodies are read: whoever sends faster waits, and waits for nobody else. The
 * budgets of `limits` count per hour, and an hour's budget sent in seconds would still keep everybody else waiting.
 */
export function paced({ bytesPerSecond, burstBytes, leastBytes, mostBytes }: Pace): onRequestAsyncHookHandler {
  const burstMs = (burstBytes / bytesPerSecond) * 1000;
  /** By network: when all it has sent so far is worked off at its pace. */
  const workedOffAt = new Map<string, number>();
  return async (req) => {
    const now = performance.now();
    const network = networkOf(req.ip);
    const length = Number(req.headers['content-length'] ?? mostBytes);
    const costMs = (Math.min(Math.max(length || 0, leastBytes), mostBytes) / bytesPerSecond) * 1000;
    const from = Math.max(workedOffAt.get(network) ?? 0, now);
    const waitMs = from - burstMs - now;
    if (waitMs > longestWaitMs) throw new Refusal('overloaded', undefined, Math.ceil(waitMs / 1000));
    if (workedOffAt.size >= mostNetworks) for (const [key, at] of workedOffAt) if (at <= now) workedOffAt.delete(key);
    workedOffAt.set(network, from + costMs);
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
  };
}
