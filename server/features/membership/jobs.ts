import type { Services } from '#server/context.ts';
import { resumable } from '#server/kit/provider-operations/operations.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { customerOperation } from './card-customer.ts';
import { lookAtAll } from './card-events.ts';
import { cancelOperation, planOperation } from './change-plan.ts';
import { saveCardOperation } from './save-card.ts';

/** The operations of this feature at the card provider, for the job that resumes abandoned ones. */
export const membershipOperations = [
  resumable(customerOperation),
  resumable(planOperation),
  resumable(cancelOperation),
  resumable(saveCardOperation),
];

export function startMembershipLooks(services: Services): Job {
  return runJob('membership-looks', 3_600_000, services.log, () => lookAtAll(services));
}
