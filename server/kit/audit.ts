import { sql } from 'kysely';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from './db/db.ts';

/** What a record entry says beyond who and when: ids only, never names or texts. */
export interface Entry {
  action: string;
  subject?: string | null;
  /** `done`, or the code of the refusal. */
  outcome?: string;
  details?: Record<string, string | number | boolean | null>;
}

type Recorder = Pick<OfficeScope, 'officeId' | 'actor' | 'requestId' | 'now' | 'auditNow'>;

/** Writes one entry of the record in the caller's transaction: it stands or falls with what it tells of. */
export async function record(tx: Tx, scope: Recorder, entry: Entry): Promise<void> {
  await recording(tx, scope, entry).execute();
}

/** Writes the same entry for each of many subjects, in one statement. */
export async function recordEach(
  tx: Tx,
  scope: Recorder,
  entry: Omit<Entry, 'subject'>,
  subjects: readonly string[],
): Promise<void> {
  const { officeId, at, actor, actorId, action, outcome, details, requestId } = rowOf(scope, entry);
  await sql`
    insert into audit_entry (office_id, at, actor, actor_id, action, subject, outcome, details, request_id)
    select ${officeId}::uuid, ${at}::timestamptz, ${actor}, ${actorId}::uuid, ${action}, subject, ${outcome}, ${details}::jsonb, ${requestId}
    from unnest(${subjects}::text[]) subject`.execute(tx);
}

/** The same as `record`, to be written together with other rows. */
export function recording(tx: Tx, scope: Recorder, entry: Entry) {
  return tx.insertInto('auditEntry').values(rowOf(scope, entry));
}

function rowOf(scope: Recorder, entry: Entry) {
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
