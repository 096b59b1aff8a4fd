import type { Selectable } from 'kysely';
import type pg from 'pg';
import type { ProviderOperation } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type OperationRow = Selectable<ProviderOperation>;

/** Inserts a running operation; undefined if one already runs on its subject. */
export function insertOperation(
  tx: Tx,
  operation: Pick<OperationRow, 'officeId' | 'id' | 'kind' | 'subject' | 'startedAt' | 'leaseUntil'> & {
    input: string;
  },
): Promise<OperationRow | undefined> {
  return tx
    .insertInto('providerOperation')
    .values(operation)
    .onConflict((running) => running.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The running operation on a subject, locked. */
export function lockRunningOperation(tx: Tx, officeId: string, subject: string): Promise<OperationRow | undefined> {
  return tx
    .selectFrom('providerOperation')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('subject', '=', subject)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
}

/** The last operation on a subject, ended or not. */
export function newestOperation(tx: Tx, officeId: string, subject: string): Promise<OperationRow | undefined> {
  return tx
    .selectFrom('providerOperation')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('subject', '=', subject)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function operationById(tx: Tx, officeId: string, id: string): Promise<OperationRow | undefined> {
  return tx
    .selectFrom('providerOperation')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Takes over a running operation whose lease has run out; undefined if another process was first. */
export function takeOverOperation(
  tx: Tx,
  row: { officeId: string; id: string },
  now: Date,
  leaseUntil: Date,
): Promise<OperationRow | undefined> {
  return tx
    .updateTable('providerOperation')
    .set((old) => ({ leaseUntil, tries: old('tries', '+', 1) }))
    .where('officeId', '=', row.officeId)
    .where('id', '=', row.id)
    .where('state', '=', 'running')
    .where('leaseUntil', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

/** Ends an operation once; false if it had already ended. The result of a slow call still ends an `unknown` one. */
export async function endOperation(
  tx: Tx,
  row: { officeId: string; id: string },
  end: Pick<OperationRow, 'endedAt' | 'reason'> & { state: 'done' | 'refused' | 'unknown'; result: string | null },
): Promise<boolean> {
  const ended = await tx
    .updateTable('providerOperation')
    // The input may name a card and its owner, and is needed only until the operation ends.
    .set({ ...end, ...(end.state !== 'unknown' && { input: '{}' }) })
    .where('officeId', '=', row.officeId)
    .where('id', '=', row.id)
    .where('state', 'in', end.state === 'unknown' ? ['running'] : ['running', 'unknown'])
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** The reason of a running operation whose last call ended without a clear outcome. */
export const unclear = 'unclear';

/** Leaves an operation to the job, which calls the provider again at this time. */
export async function postponeOperation(tx: Tx, row: { officeId: string; id: string }, until: Date): Promise<void> {
  await tx
    .updateTable('providerOperation')
    .set({ leaseUntil: until, reason: unclear })
    .where('officeId', '=', row.officeId)
    .where('id', '=', row.id)
    .where('state', '=', 'running')
    .execute();
}

/** Operations of these kinds, of any office, whose process did not finish them. */
export async function abandonedOperations(
  pool: pg.Pool,
  { now, kinds, most }: { now: Date; kinds: readonly string[]; most: number },
): Promise<{ officeId: string; id: string; kind: string }[]> {
  const { rows } = await pool.query<{ office_id: string; id: string; kind: string }>(
    'select office_id, id, kind from door_abandoned_operations($1, $2, $3)',
    [now, kinds, most],
  );
  return rows.map(({ office_id: officeId, id, kind }) => ({ officeId, id, kind }));
}
