import type { Actor, OfficeScope } from '#server/ctx.ts';
import type { Tx } from './db.ts';

/** What a record entry says beyond who and when: ids only, never names or texts. */
export interface Entry {
  action: string;
  subject?: string | null;
  /** `done`, or the code of the refusal. */
  outcome?: string;
  details?: Record<string, string | number | boolean | null>;
}

/** Writes one entry of the record in the caller's transaction: it stands or falls with what it tells of. */
export async function record(
  tx: Tx,
  scope: Pick<OfficeScope, 'officeId' | 'actor' | 'requestId' | 'now'>,
  entry: Entry,
): Promise<void> {
  await tx
    .insertInto('auditEntry')
    .values({
      officeId: scope.officeId,
      at: scope.now(),
      actor: scope.actor.kind,
      actorId: idOf(scope.actor),
      action: entry.action,
      subject: entry.subject ?? null,
      outcome: entry.outcome ?? 'done',
      details: entry.details ? JSON.stringify(entry.details) : null,
      requestId: scope.requestId,
    })
    .execute();
}

const idOf = (actor: Actor) => actor.id;
