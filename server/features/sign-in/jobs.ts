import type { House } from '#server/ctx.ts';
import { runJob, type Job } from '#server/kit/jobs.ts';
import { tell } from '#server/kit/live.ts';
import { endExpired, forgetBefore } from './sql.ts';

const day = 86_400_000;

/** Ends sessions whose twelve hours are over, sockets too, and forgets codes after two days and ended sessions after ninety. */
export function startSessionEnds(house: House): Job {
  return runJob('session-ends', 30_000, house.log, () => endSessions(house));
}

export async function endSessions({ db, now }: Pick<House, 'db' | 'now'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const session of await endExpired(tx, now())) await tell(tx, { type: 'session', session });
  });
  const ago = (days: number) => new Date(now().getTime() - days * day);
  await forgetBefore(db, ago(2), ago(90));
}
