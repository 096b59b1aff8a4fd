import type { AnyoneCtx, Caller } from '#server/ctx.ts';
import { record } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db.ts';
import { enterOffice, officesOf } from './sql.ts';

/** Each office reads in its record when its people sign in and out. */
export async function recordInOffices(
  tx: Tx,
  { now, requestId }: Pick<AnyoneCtx, 'now' | 'requestId'>,
  { personId, personName, sessionId }: Pick<Caller, 'personId' | 'personName' | 'sessionId'>,
  action: 'session.start' | 'session.end' | 'session.lock' | 'session.unlock',
): Promise<void> {
  for (const { id: officeId } of await officesOf(tx, personId)) {
    await enterOffice(tx, officeId);
    const actor = { kind: 'staff', id: personId, name: personName } as const;
    await record(tx, { officeId, actor, requestId, now }, { action, subject: sessionId });
  }
}
