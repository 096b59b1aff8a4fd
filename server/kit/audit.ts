import { sql } from 'kysely';
import type { AuditAction } from '#contract/audit-actions.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from './db/db.ts';

/** What an audit entry says beyond who and when. It holds ids only, never names or message texts. */
export interface NewAuditEntry {
  action: AuditAction;
  subject?: string | null;
  /** `done`, or the refusal code. */
  outcome?: string;
  details?: Record<string, string | number | boolean | null>;
}

type AuditScope = Pick<OfficeScope, 'officeId' | 'actor' | 'requestId' | 'now' | 'auditNow'>;

/** Writes one audit entry in the caller's transaction, so that it commits or rolls back with the act. */
export async function writeAuditEntry(tx: Tx, scope: AuditScope, entry: NewAuditEntry): Promise<void> {
  await auditStatement(tx, scope, entry).execute();
}

/** Writes the same audit entry for each of many subjects, in one statement. */
export async function writeAuditEntries(
  tx: Tx,
  scope: AuditScope,
  entry: Omit<NewAuditEntry, 'subject'>,
  subjects: readonly string[],
): Promise<void> {
  const { officeId, at, actor, actorId, action, outcome, details, requestId } = rowOf(scope, entry);
  await sql`
    insert into audit_entry (office_id, at, actor, actor_id, action, subject, outcome, details, request_id)
    select ${officeId}::uuid, ${at}::timestamptz, ${actor}, ${actorId}::uuid, ${action}, subject, ${outcome}, ${details}::jsonb, ${requestId}
    from unnest(${subjects}::text[]) subject
    returning 1`.execute(tx);
}

/** The statement of `writeAuditEntry`, not executed yet: for `runTogether`. */
export function auditStatement(tx: Tx, scope: AuditScope, entry: NewAuditEntry) {
  return tx.insertInto('auditEntry').values(rowOf(scope, entry));
}

function rowOf(scope: AuditScope, entry: NewAuditEntry) {
  return {
    officeId: scope.officeId,
    at: scope.auditNow ? scope.auditNow() : scope.now(),
    actor: scope.actor.kind,
    actorId: scope.actor.id,
    action: entry.action,
    subject: entry.subject ?? null,
    outcome: entry.outcome ?? 'done',
    details: entry.details ? JSON.stringify(entry.details) : null,
    requestId: scope.requestId,
  };
}
