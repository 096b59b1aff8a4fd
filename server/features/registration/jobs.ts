import type { House } from '#server/ctx.ts';
import { runJob, type Job } from '#server/kit/jobs.ts';
import { mailClaims } from './claim-mails.ts';

/** Mails the operator and the people of an office about strangers who came with its NPI. */
export function startClaimMails(house: House): Job {
  return runJob('claim-mails', 5_000, house.log, () => mailClaims(house));
}
