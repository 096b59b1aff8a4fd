import type { AnyoneCtx, Caller } from '#server/ctx.ts';
import { stopPushesOfSession } from '#server/features/push/index.ts';
import { record } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db.ts';
import { enterOffice, officesOf } from './office-rows.ts';

type Action =
  | `session.${'start' | 'end' | 'lock' | 'unlock'}`
  | `passkey.${'add' | 'remove'}`
  | `authenticator.${'set' | 'remove'}`;

/** Each office reads in its record when its people sign in and out, and when they change how. */
export async function recordInOffices(
  tx: Tx,
  { now, requestId }: Pick<AnyoneCtx, 'now' | 'requestId'>,
  { personId, personName, sessionId }: Pick<Caller, 'personId' | 'personName' | 'sessionId'>,
  action: Action,
): Promise<void> {
  for (const { id: officeId } of await officesOf(tx, personId)) {
    await enterOffice(tx, officeId);
    if (action === 'session.end') await stopPushesOfSession(tx, officeId, { personId, sessionId });
    const actor = { kind: 'staff', id: personId, name: personName } as const;
    await record(tx, { officeId, actor, requestId, now }, { action, subject: sessionId });
  }
}
