import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type pg from 'pg';
import { hashToken } from './secret.ts';
import { Refusal } from './refusal.ts';

/** `points` per `seconds`; `name` keeps budgets apart. */
export interface Limit {
  name: string;
  points: number;
  seconds: number;
}

export interface Limits {
  /** Takes one point of `key`'s budget; throws `too_many_tries` with the seconds to wait when it is used up. */
  take(limit: Limit, key: string): Promise<void>;
  /** Throws like `take` when the budget is used up, without taking. */
  check(limit: Limit, key: string): Promise<void>;
}

/** Budgets kept in PostgreSQL, so that all processes share them. Keys are kept hashed. */
export function openLimits(pool: pg.Pool): Limits {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = ({ name, points, seconds }: Limit) => {
    let limiter = limiters.get(name);
    if (!limiter) {
      limiter = new RateLimiterPostgres({
        storeClient: pool,
        tableName: 'rate_limit',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
        clearExpiredByTimeout: true,
      });
      limiters.set(name, limiter);
    }
    return limiter;
  };
  const keyOf = (key: string) => hashToken(key).toString('base64url');
  return {
    async take(limit, key) {
      await limiterOf(limit).consume(keyOf(key)).catch(refuse);
    },
    async check(limit, key) {
      const used = await limiterOf(limit).get(keyOf(key));
      if (used && used.remainingPoints <= 0) refuse(used);
    },
  };
}

function refuse(reason: unknown): never {
  if (reason instanceof RateLimiterRes)
    throw new Refusal('too_many_tries', undefined, Math.max(1, Math.ceil(reason.msBeforeNext / 1000)));
  throw reason;
}
