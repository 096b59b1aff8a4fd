import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { systemActor } from '#server/context.ts';
import { rentOfficeNumber } from '#server/features/office/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { mailClaims } from './npi-claim-emails.ts';
import { confirmedWithoutNumber } from './sql.ts';

/** Emails the operator and an office's staff about people who tried to register with its NPI. */
export function startClaimMails(services: Services): Job {
  return runJob('claim-mails', 5_000, services.log, () => mailClaims(services));
}

/** Rents numbers for practices that registered without one and were confirmed meanwhile. */
export function startNumberRentals(services: Services): Job {
  return runJob('number-rentals', 20_000, services.log, () => rentMissingNumbers(services));
}

/** One round. A number that cannot be had is tried again in the next one. */
export async function rentMissingNumbers(services: Services): Promise<void> {
  for (const officeId of await confirmedWithoutNumber(services.pool)) {
    try {
      await rentOfficeNumber(officeScope(services, officeId, systemActor, 'number-rentals'));
    } catch (error) {
      services.log.error({ alert: 'sms', office: officeId, err: error }, 'no number could be rented for a practice');
    }
  }
}
