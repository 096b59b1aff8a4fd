import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { openDb, openPool } from '#server/kit/db/db.ts';
import { openLimits } from '#server/kit/http/rate-limits.ts';
import { openLive } from '#server/kit/live/live.ts';
import { openVisitorPace } from '#server/kit/http/pace-requests.ts';
import { limitedEmail } from '#server/providers/email/limited.ts';
import { openProviders } from '#server/providers/index.ts';
import type { House } from './context.ts';
import type { Env } from './env.ts';

/** Opens what the process has, on a migrated database that it reaches by the app's own login. `now` is business time. */
export function openHouse(env: Env, appUrl: string, log: FastifyBaseLogger, now: () => Date = () => new Date()): House {
  const pool = openPool(appUrl);
  const db = openDb(pool);
  const id = () => uuidv7();
  const limits = openLimits(pool);
  const providers = openProviders({ env, db, log, now, id });
  return {
    env,
    pool,
    db,
    log,
    now,
    id,
    live: openLive(appUrl, log),
    limits,
    visitorPace: openVisitorPace(),
    providers: { ...providers, email: limitedEmail(providers.email, limits, env) },
  };
}
