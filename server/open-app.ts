import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { openDb, openPool } from '#server/kit/db/db.ts';
import { openLimits } from '#server/kit/http/rate-limits.ts';
import { hintChannel } from '#server/kit/live/hint.ts';
import { openLive } from '#server/kit/live/live.ts';
import { openVisitorPace } from '#server/kit/http/pace-requests.ts';
import { limitedEmail } from '#server/providers/email/limited.ts';
import { openProviders } from '#server/providers/index.ts';
import type { Services } from './context.ts';
import type { Env } from './env.ts';
import { readPhoneBuild } from './pages.ts';
import { openPlanPrices } from './plan-prices.ts';

/** Opens the process's services on a migrated database with the app's own login (`appUrl`). `now` is business time. */
export function openServices(
  env: Env,
  appUrl: string,
  log: FastifyBaseLogger,
  now: () => Date = () => new Date(),
): Services {
  const pool = openPool(appUrl, { prepares: env.preparesStatements });
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
    live: openLive({
      databaseUrl: env.databaseDirectUrl ?? appUrl,
      echo: (hint) => pool.query('select pg_notify($1, $2)', [hintChannel, JSON.stringify(hint)]),
      log,
    }),
    limits,
    visitorPace: openVisitorPace({ sessionSecret: env.secrets.session, now }),
    phoneBuild: readPhoneBuild(),
    planPrices: openPlanPrices(providers.card, now),
    providers: { ...providers, email: limitedEmail(providers.email, limits, env) },
  };
}
