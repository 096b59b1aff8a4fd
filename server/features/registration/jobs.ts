import type { House } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { mailClaims } from './npi-claim-emails.ts';

/** Mails the operator and the people of an office about strangers who came with its NPI. */
export function startClaimMails(house: House): Job {
  return runJob('claim-mails', 5_000, house.log, () => mailClaims(house));
}
