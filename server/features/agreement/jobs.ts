import type { Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { sendDueReminders } from './reminders.ts';
import { settle } from './settle-agreement.ts';
import { askAgain } from './signing.ts';
import { agreementById, changeAgreement } from './sql.ts';

const batch = 50;

/** Looks at the provider where no callback came, and reminds who has not signed. Due times on the rows are the jobs. */
export function startAgreements(services: Services): Job[] {
  return [
    runJob('agreement-checks', 15_000, services.log, () => checkDue(services)),
    runJob('agreement-reminders', 60_000, services.log, () => sendDueReminders(services)),
  ];
}

/** Looks at every agreement whose time has come; true when more may be due. */
export async function checkDue(services: Services): Promise<boolean> {
  const { rows } = await services.pool.query<{ office_id: string; id: string }>(
    'select * from door_due_agreements($1, $2)',
    [services.now(), batch],
  );
  for (const { office_id, id } of rows) {
    await check(services, office_id, id).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      services.log.warn({ agreement: id, err: error }, 'one agreement is looked at again later');
    });
  }
  return rows.length === batch;
}

async function check(services: Services, officeId: string, id: string): Promise<void> {
  const scope = officeScope(services, officeId, { kind: 'house', id: null, name: null }, 'agreement-check');
  // Put off first: a provider that does not answer is not asked in a ring.
  const later = new Date(services.now().getTime() + 5 * 60_000);
  const row = await scope.transaction(async (tx) => {
    await changeAgreement(tx, officeId, id, { checkAt: later });
    return agreementById(tx, officeId, id);
  });
  if (row?.state === 'asking') await askAgain(scope, row);
  else await settle(scope, id);
}
