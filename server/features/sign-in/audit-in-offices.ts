import type { AnyoneCtx, Caller } from '#server/context.ts';
import { stopPushesOfSession } from '#server/features/push/index.ts';
import { writeAuditEntry, type NewAuditEntry } from '#server/kit/audit.ts';
import { enterOffice, type Tx } from '#server/kit/db/db.ts';
import { officesInTransaction } from '#server/kit/db/office-directory.ts';

type SignInAction =
  | `session.${'start' | 'end' | 'revoke' | 'lock' | 'unlock'}`
  | `passkey.${'add' | 'remove'}`
  | `pin.${'set' | 'remove' | 'wrong' | 'void'}`
  | `authenticator.${'set' | 'remove'}`;

type SessionOwner = Pick<Caller, 'personId' | 'personName' | 'sessionId'>;
type AuditContext = Pick<AnyoneCtx, 'now' | 'requestId' | 'namedOffice' | 'caller'>;

/** A caller with a stolen token, or a colleague who guesses a PIN, must not avoid the entry by naming another office. */
const unavoidable: readonly SignInAction[] = ['session.revoke', 'pin.wrong', 'pin.void'];

/**
 * Adds an entry to the audit log of the office that the caller works in; it is about the session, unless `about` names another subject. The
 * person's other offices do not learn of it. When a session ends, its push notifications stop at every office of the person.
 */
export async function auditInOffice(
  tx: Tx,
  ctx: AuditContext,
  { personId, personName, sessionId }: SessionOwner,
  action: SignInAction,
  about: Pick<NewAuditEntry, 'subject' | 'details'> = {},
): Promise<void> {
  const { namedOffice, caller } = ctx;
  const offices = await officesInTransaction(tx, personId);
  const ends = action === 'session.end' || action === 'session.revoke';
  if (ends) {
    for (const { id: officeId } of offices) {
      await enterOffice(tx, officeId);
      await stopPushesOfSession(tx, officeId, { personId, sessionId });
    }
  }
  const isRequested = ({ id, npi }: { id: string; npi: string }) =>
    namedOffice === null || id === namedOffice || npi === namedOffice;
  const office = caller?.personId === personId ? caller.office : offices.find(isRequested);
  const officeId = (office ?? (unavoidable.includes(action) ? offices[0] : undefined))?.id;
  if (officeId === undefined) return;
  await enterOffice(tx, officeId);
  const actor = { kind: 'staff', id: personId, name: personName } as const;
  const { requestId, now } = ctx;
  await writeAuditEntry(tx, { officeId, actor, requestId, now }, { action, subject: sessionId, ...about });
}
