import type { House } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { forgetApplicationsBefore } from './sql.ts';

const keptDays = 60;

/** What was typed at the partner's door and never confirmed is forgotten after two months. */
export function startApplicationEnds(house: House): Job {
  return runJob('partner-applications', 3_600_000, house.log, () => forgetOldApplications(house));
}

export async function forgetOldApplications({ db, now }: Pick<House, 'db' | 'now'>): Promise<void> {
  await forgetApplicationsBefore(db, new Date(now().getTime() - keptDays * 86_400_000));
}
