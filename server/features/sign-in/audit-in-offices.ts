import type { AnyoneCtx, Caller } from '#server/context.ts';
import { stopPushesOfSession } from '#server/features/push/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { enterOffice, type Tx } from '#server/kit/db/db.ts';
import { officesOf, setLastSignIn } from './office-sql.ts';

type Action =
  | `session.${'start' | 'end' | 'revoke' | 'lock' | 'unlock'}`
  | `passkey.${'add' | 'remove'}`
  | `authenticator.${'set' | 'remove'}`;

type Who = Pick<Caller, 'personId' | 'personName' | 'sessionId'>;
type Asked = Pick<AnyoneCtx, 'now' | 'requestId' | 'namedOffice' | 'caller'>;

/**
 * The audit log of the office that the caller works in shows when its people sign in and out, and when they change how. Their other
 * offices do not learn of it. Pushes of a session that ends stop at all of them.
 */
export async function recordInOffice(
  tx: Tx,
  ctx: Asked,
  { personId, personName, sessionId }: Who,
  action: Action,
): Promise<void> {
  const { namedOffice, caller } = ctx;
  const offices = await officesOf(tx, personId);
  const ends = action === 'session.end' || action === 'session.revoke';
  if (ends) {
    for (const { id: officeId } of offices) {
      await enterOffice(tx, officeId);
      await stopPushesOfSession(tx, officeId, { personId, sessionId });
    }
  }
  const isNamed = ({ id, npi }: { id: string; npi: string }) =>
    namedOffice === null || id === namedOffice || npi === namedOffice;
  const named = caller?.personId === personId ? caller.office : offices.find(isNamed);
  // Whoever presents a stolen token must not avoid the entry by naming another office.
  const officeId = (named ?? (action === 'session.revoke' ? offices[0] : undefined))?.id;
  if (officeId === undefined) return;
  await enterOffice(tx, officeId);
  if (action === 'session.start') await setLastSignIn(tx, officeId, personId, ctx.now());
  const actor = { kind: 'staff', id: personId, name: personName } as const;
  const { requestId, now } = ctx;
  await writeAuditEntry(tx, { officeId, actor, requestId, now }, { action, subject: sessionId });
}
