import type { OfficeScope } from '#server/context.ts';
import { pushingArrival } from '#server/features/push/index.ts';
import { recording, type Entry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { write, type Change } from '#server/kit/db/statements.ts';
import { bumpingQueue } from './sql.ts';

type Told = Omit<Entry, 'subject'> & { hint?: 'checkin' | 'message' };

/** What every change of a visit ends with, in its transaction: a new version of the queue's answer, the record, the hint to the screens. */
export function changing(tx: Tx, scope: OfficeScope, visit: { id: string; day: string }, entry: Told): Change {
  const { hint = 'checkin', ...written } = entry;
  const arrived = written.action === 'visit.arrive' || written.details?.move === 'arrive';
  return {
    writes: [
      bumpingQueue(tx, scope.officeId, visit.day),
      recording(tx, scope, { ...written, subject: visit.id }),
      ...(arrived ? [pushingArrival(tx, scope.officeId, scope.now())] : []),
    ],
    hints: [{ office: scope.officeId, visit: visit.id, type: hint, ...(arrived && { arrived }) }],
  };
}

/** The same, done at once. */
export function changed(tx: Tx, scope: OfficeScope, visit: { id: string; day: string }, entry: Told): Promise<void> {
  return write(tx, changing(tx, scope, visit, entry));
}
