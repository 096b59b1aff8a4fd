import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { sendDueReminders } from './reminders.ts';
import { syncAgreement } from './sync-agreement.ts';
import { resumeRequest } from './signing.ts';
import { agreementById, changeAgreement, dueAgreements } from './sql.ts';

const batch = 50;

/** Checks agreements at the provider when no callback came, and reminds practices that have not signed. */
export function startAgreements(services: Services): Job[] {
  return [
    runJob('agreement-checks', 15_000, services.log, () => checkDueAgreements(services)),
    runJob('agreement-reminders', 60_000, services.log, () => sendDueReminders(services)),
  ];
}

/** Checks every due agreement; returns true if more may be due. */
export async function checkDueAgreements(services: Services): Promise<boolean> {
  const due = await dueAgreements(services.pool, services.now(), batch);
  for (const { officeId, id } of due) {
    await checkAgreement(services, officeId, id).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      services.log.warn({ agreement: id, err: error }, 'an agreement check failed and will be retried');
    });
  }
  return due.length === batch;
}

async function checkAgreement(services: Services, officeId: string, id: string): Promise<void> {
  const scope = officeScope(services, officeId, systemActor, 'agreement-check');
  // Postpone first, so that a provider that does not answer is not asked in a loop.
  const later = new Date(services.now().getTime() + 5 * 60_000);
  const row = await scope.transaction(async (tx) => {
    await changeAgreement(tx, officeId, id, { checkAt: later });
    return agreementById(tx, officeId, id);
  });
  if (row?.state === 'asking') await resumeRequest(scope, row);
  else await syncAgreement(scope, id);
}
