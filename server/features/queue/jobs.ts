import type { Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { dayOf } from '#server/kit/day.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { officeRow } from '#server/office-row.ts';
import { autoInvitePause } from '#server/opening-hours.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { dueAutoInvites } from './queue-sql.ts';
import { lockVisit, setAutoInvite } from './sql.ts';
import { makeMove } from './make-move.ts';

const batch = 50;

/** Auto-invite works with no panel open. The due time is stored in the visit's row, so that it survives a restart. */
export function startAutoInvites(services: Services): Job {
  return runJob('auto-invite', 1_000, services.log, () => inviteDueVisits(services));
}

/** Invites the visits whose time has come; true if more may be due. */
export async function inviteDueVisits(services: Services): Promise<boolean> {
  const now = services.now();
  const visits = await dueAutoInvites(services.pool, now, batch);
  let failed = 0;
  for (const { officeId, visitId } of visits) {
    await inviteDueVisit(services, officeId, visitId, now).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      failed++;
      services.log.error({ job: 'auto-invite', visit: visitId, err: error }, 'one auto-invite failed');
    });
  }
  return visits.length === batch && failed === 0;
}

/**
 * Checks the row again under its lock: another process, staff or the patient may have been faster. Does not invite an earlier day's visit, nor
 * during a break or on a closed day, when nobody is there.
 */
async function inviteDueVisit(services: Services, officeId: string, visitId: string, now: Date): Promise<void> {
  const scope = officeScope(services, officeId, { kind: 'timer', id: null, name: null }, 'auto-invite');
  await scope.transaction(async (tx) => {
    const visit = await lockVisit(tx, officeId, visitId);
    if (!visit || visit.status !== 'WAITING' || !visit.autoInviteAt || visit.autoInviteAt > now) return;
    const { timeZone, queueSettings } = await officeRow(tx, officeId);
    if (visit.day !== dayOf(now, timeZone)) return setAutoInvite(tx, visit, null);
    const pause = autoInvitePause(queueSettings, timeZone, now);
    if (!pause) return makeMove(tx, scope, visit, 'invite');
    await setAutoInvite(tx, visit, pause.until);
    await bumpQueue(tx, officeId, visit.day, [visitId]);
    await sendHint(tx, { office: officeId, visit: visitId, type: 'checkin' });
  });
}
