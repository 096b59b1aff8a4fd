import type { House } from '#server/ctx.ts';
import { officeScope } from '#server/kit/context.ts';
import { dayOf } from '#server/kit/day.ts';
import { runJob, type Job } from '#server/kit/jobs.ts';
import { lockVisit } from './sql.ts';
import { makeMove } from './visits.ts';

const batch = 50;

/** Auto-invite: fires with no panel open. A due time on the visit's row is the job, so a restart forgets nothing. */
export function startAutoInvites(house: House): Job {
  return runJob('auto-invite', 1_000, house.log, () => inviteDue(house));
}

/** Invites everyone whose time has come; true when more may be due. */
export async function inviteDue(house: House): Promise<boolean> {
  const now = house.now();
  const { rows } = await house.pool.query<{ office_id: string; visit_id: string }>(
    'select * from door_due_auto_invites($1, $2)',
    [now, batch],
  );
  for (const due of rows) {
    const scope = officeScope(house, due.office_id, { kind: 'timer', id: null, name: null }, 'auto-invite');
    await scope.transaction(async (tx) => {
      const visit = await lockVisit(tx, due.office_id, due.visit_id);
      if (!visit || visit.status !== 'WAITING' || !visit.autoInviteAt || visit.autoInviteAt > now) return;
      const { timeZone } = await tx
        .selectFrom('office')
        .select('timeZone')
        .where('id', '=', due.office_id)
        .executeTakeFirstOrThrow();
      if (visit.day === dayOf(now, timeZone)) await makeMove(tx, scope, visit, 'invite');
      else
        await tx
          .updateTable('visit')
          .set({ autoInviteAt: null })
          .where('officeId', '=', due.office_id)
          .where('id', '=', visit.id)
          .execute();
    });
  }
  return rows.length === batch;
}
