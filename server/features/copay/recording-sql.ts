import type { Insertable, Selectable, Updateable } from 'kysely';
import type pg from 'pg';
import { recordingMoves, type RecordingMove } from '#contract/copay.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type RecordingRow = Selectable<DB['paymentRecording']>;

export async function insertRecordings(tx: Tx, recordings: Insertable<DB['paymentRecording']>[]): Promise<void> {
  if (recordings.length > 0) await tx.insertInto('paymentRecording').values(recordings).execute();
}

export interface DueRecording {
  officeId: string;
  id: string;
}

/** The recordings that are due now, in all offices. */
export async function dueRecordings(pool: pg.Pool, now: Date, limit: number): Promise<DueRecording[]> {
  const { rows } = await pool.query<{ office_id: string; id: string }>('select * from door_due_recordings($1, $2)', [
    now,
    limit,
  ]);
  return rows.map(({ office_id: officeId, id }) => ({ officeId, id }));
}

/** The recordings of these payments, done or due. */
export async function recordingsOf(tx: Tx, officeId: string, paymentIds: readonly string[]): Promise<RecordingRow[]> {
  if (paymentIds.length === 0) return [];
  return tx
    .selectFrom('paymentRecording')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('paymentId', 'in', paymentIds)
    .orderBy('part')
    .execute();
}

export function recordingById(tx: Tx, officeId: string, id: string): Promise<RecordingRow | undefined> {
  return tx
    .selectFrom('paymentRecording')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function lockRecording(tx: Tx, officeId: string, id: string): Promise<RecordingRow | undefined> {
  return tx
    .selectFrom('paymentRecording')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Sets what is left to record of a part that was not sent yet. */
export async function setRecordingAmount(
  tx: Tx,
  { officeId, id }: Pick<RecordingRow, 'officeId' | 'id'>,
  amountCents: number,
): Promise<void> {
  await tx
    .updateTable('paymentRecording')
    .set({ amountCents })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

/** Moves a part; false if the contract's table does not allow it in the part's state. */
export async function moveRecording(
  tx: Tx,
  { officeId, id }: Pick<RecordingRow, 'officeId' | 'id'>,
  move: RecordingMove,
  changes: Omit<Updateable<DB['paymentRecording']>, 'state'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('paymentRecording')
    .set({ ...changes, state: recordingMoves[move].to })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .where('state', 'in', recordingMoves[move].from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Makes the refused parts of a payment due again, and returns the ids of all that are due. The condition is part of the statement: a part that
 * another call has claimed or recorded meanwhile stays as it is.
 */
export async function makeRefusedDue(tx: Tx, officeId: string, paymentId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('paymentRecording')
    .set({ state: recordingMoves.retry.to, problem: null, checkAt: now })
    .where('officeId', '=', officeId)
    .where('paymentId', '=', paymentId)
    .where('state', 'in', recordingMoves.retry.from)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The patient and the day of a payment's visit, for the practice software. Somebody else who checked in with the patient's phone, such as a
 * child, has another number there, which we do not know.
 */
export function visitToRecord(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visit as v')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'v.officeId').onRef('p.id', '=', 'v.patientId'))
    .select(['v.id', 'v.day', 'p.userCode'])
    .select((q) =>
      q
        .case()
        .when(
          q.and([
            q(q.fn('lower', ['v.firstName']), '=', q.fn('lower', ['p.firstName'])),
            q(q.fn('lower', ['v.lastName']), '=', q.fn('lower', ['p.lastName'])),
          ]),
        )
        .then(q.ref('p.practiceNumber'))
        .end()
        .as('practiceNumber'),
    )
    .where('v.officeId', '=', officeId)
    .where('v.id', '=', visitId)
    .executeTakeFirstOrThrow();
}

/** Sets the number under which the practice software has a patient; false if the office has no such patient. */
export async function setPracticeNumber(
  tx: Tx,
  officeId: string,
  userCode: string,
  practiceNumber: string | null,
): Promise<boolean> {
  const rows = await tx
    .updateTable('patient')
    .set({ practiceNumber })
    .where('officeId', '=', officeId)
    .where('userCode', '=', userCode)
    .returning('id')
    .execute();
  return rows.length > 0;
}
