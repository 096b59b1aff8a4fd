import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { resumable } from '#server/kit/provider-operations/operations.ts';
import { endMarkedLinks } from './form-links.ts';
import { formOperation } from './hosted-form.ts';
import { applicationById, changeApplication, dueApplications } from './sql.ts';
import { sendSubmissionNotice } from './submission-notice.ts';
import { syncApplication } from './sync-application.ts';

const batch = 50;

/** The operations of this feature at the payment provider, for the job that resumes abandoned ones. */
export const merchantOperations = [resumable(formOperation)];

/** Checks applications at the provider when no callback came. */
export function startMerchantChecks(services: Services): Job {
  return runJob('merchant-checks', 15_000, services.log, () => checkDueApplications(services));
}

/** Checks every due application; returns true if more may be due. */
export async function checkDueApplications(services: Services): Promise<boolean> {
  const due = await dueApplications(services.pool, services.now(), batch);
  for (const { officeId, id } of due) {
    await checkApplication(services, officeId, id).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      services.log.warn(
        { application: id, err: error },
        'a merchant application could not be checked; it will be retried',
      );
    });
  }
  return due.length === batch;
}

async function checkApplication(services: Services, officeId: string, id: string): Promise<void> {
  const scope = officeScope(services, officeId, systemActor, 'merchant-check');
  // Postpone first, so that a provider that does not answer is not asked in a loop.
  await scope.transaction(async (tx) => {
    const row = await applicationById(tx, officeId, id);
    if (row) await changeApplication(tx, row, { checkAt: new Date(services.now().getTime() + 5 * 60_000) });
  });
  await sendSubmissionNotice(scope, id);
  await endMarkedLinks(scope, id);
  await syncApplication(scope, id);
}
