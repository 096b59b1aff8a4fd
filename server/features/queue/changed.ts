import type { OfficeScope } from '#server/ctx.ts';
import { record, type Entry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db.ts';
import { tell } from '#server/kit/live.ts';
import { bumpQueue } from './sql.ts';

/** What every change of a visit ends with, in its transaction: a new version of the queue's answer, the record, the hint to the screens. */
export async function changed(
  tx: Tx,
  scope: OfficeScope,
  visit: { id: string; day: string },
  entry: Omit<Entry, 'subject'> & { hint?: 'checkin' | 'message' },
): Promise<void> {
  const { hint = 'checkin', ...written } = entry;
  const arrived = written.action === 'visit.arrive' || written.details?.move === 'arrive';
  await Promise.all([
    bumpQueue(tx, scope.officeId, visit.day),
    record(tx, scope, { ...written, subject: visit.id }),
    tell(tx, { office: scope.officeId, visit: visit.id, type: hint, ...(arrived && { arrived }) }),
  ]);
}
