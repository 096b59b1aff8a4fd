import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { forgetChallengesBefore } from '#server/features/security/index.ts';
import { forgetCodesBefore } from './code-sql.ts';
import { endExpiredSessions, forgetSessionsEndedBefore } from './session-sql.ts';

const day = 86_400_000;

/** Ends expired sessions and their sockets. Deletes codes after two days and ended sessions after ninety. */
export function startSessionCleanup(services: Services): Job {
  return runJob('session-ends', 30_000, services.log, () => cleanUpSessions(services));
}

export async function cleanUpSessions({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const session of await endExpiredSessions(tx, now())) await sendHint(tx, { type: 'session', session });
  });
  const ago = (days: number) => new Date(now().getTime() - days * day);
  await forgetCodesBefore(db, ago(2));
  await forgetChallengesBefore(db, now());
  await forgetSessionsEndedBefore(db, ago(90));
}
