import type { OfficeScope } from '#server/ctx.ts';
import type { Tx } from './db.ts';

/** What a record entry says beyond who and when: ids only, never names or texts. */
export interface Entry {
  action: string;
  subject?: string | null;
  /** `done`, or the code of the refusal. */
  outcome?: string;
  details?: Record<string, string | number | boolean | null>;
}

type Recorder = Pick<OfficeScope, 'officeId' | 'actor' | 'requestId' | 'now'>;

/** Writes one entry of the record in the caller's transaction: it stands or falls with what it tells of. */
export async function record(tx: Tx, scope: Recorder, entry: Entry): Promise<void> {
  await recording(tx, scope, entry).execute();
}

/** Writes many entries at once; there must be one. */
export async function recordEach(tx: Tx, scope: Recorder, entries: readonly Entry[]): Promise<void> {
  await tx
    .insertInto('auditEntry')
    .values(entries.map((entry) => rowOf(scope, entry)))
    .execute();
}

/** The same as `record`, to be written together with other rows. */
export function recording(tx: Tx, scope: Recorder, entry: Entry) {
  return tx.insertInto('auditEntry').values(rowOf(scope, entry));
}

function rowOf(scope: Recorder, entry: Entry) {
  return {
    officeId: scope.officeId,
    at: scope.now(),
    actor: scope.actor.kind,
    actorId: scope.actor.id,
    action: entry.action,
    subject: entry.subject ?? null,
    outcome: entry.outcome ?? 'done',
    details: entry.details ? JSON.stringify(entry.details) : null,
    requestId: scope.requestId,
  };
}
