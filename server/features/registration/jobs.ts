import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { mailClaims } from './npi-claim-emails.ts';

/** Emails the operator and an office's staff about people who tried to register with its NPI. */
export function startClaimMails(services: Services): Job {
  return runJob('claim-mails', 5_000, services.log, () => mailClaims(services));
}
