import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { forgetApplicationsBefore } from './sql.ts';

const retentionDays = 60;

/** Deletes sign-ups at the partner's page that were not confirmed within two months. */
export function startApplicationCleanup(services: Services): Job {
  return runJob('partner-applications', 3_600_000, services.log, () => forgetOldApplications(services));
}

export async function forgetOldApplications({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await forgetApplicationsBefore(db, new Date(now().getTime() - retentionDays * 86_400_000));
}
