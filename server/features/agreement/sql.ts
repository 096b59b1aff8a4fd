import type { Selectable } from 'kysely';
import type pg from 'pg';
import { runningStates, type AgreementState } from '#contract/agreement.ts';
import type { Agreement } from '#db/tables.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';

export type AgreementRow = Selectable<Agreement>;
type AgreementChanges = Partial<Omit<AgreementRow, 'officeId' | 'id'>>;

/** The running agreement, else the one requested last. */
export async function latestAgreement(tx: Tx, officeId: string): Promise<AgreementRow | undefined> {
  const rows = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const isRunning = ({ state }: AgreementRow) => (runningStates as readonly AgreementState[]).includes(state);
  return rows.find(isRunning) ?? rows[0];
}

/** The agreement signed last. */
export async function signedAgreement(tx: Tx, officeId: string): Promise<AgreementRow | undefined> {
  const row = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('state', '=', 'signed')
    .orderBy('signedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row;
}

export async function agreementById(tx: Tx, officeId: string, id: string): Promise<AgreementRow | undefined> {
  const row = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row;
}

/** Reads an agreement and locks it until the end of the transaction. */
export async function lockAgreement(tx: Tx, officeId: string, id: string): Promise<AgreementRow> {
  const row = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row;
}

/** Adds an agreement; undefined if the office already has a running one. */
export async function addAgreement(
  tx: Tx,
  row: Pick<AgreementRow, 'officeId' | 'id' | 'version' | 'provider' | 'signerName' | 'signerEmail' | 'askedBy'> & {
    askedAt: Date;
    leaseUntil: Date;
  },
): Promise<AgreementRow | undefined> {
  // Waits for a correction of the office's name: else the document would have the old name.
  await tx.selectFrom('office').select('id').where('id', '=', row.officeId).forShare().execute();
  const added = await tx
    .insertInto('agreement')
    .values({ ...row, state: 'asking', checkAt: row.leaseUntil })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return added;
}

/** Takes over a request whose lease has expired; undefined if another process did. */
export async function takeOverRequest(
  tx: Tx,
  row: AgreementRow,
  now: Date,
  leaseUntil: Date,
): Promise<AgreementRow | undefined> {
  const leasedRow = await tx
    .updateTable('agreement')
    .set({ leaseUntil, checkAt: leaseUntil })
    .where('officeId', '=', row.officeId)
    .where('id', '=', row.id)
    .where('state', '=', 'asking')
    .where('leaseUntil', '<=', now)
    .returningAll()
    .executeTakeFirst();
  return leasedRow;
}

export async function changeAgreement(
  tx: Tx,
  officeId: string,
  id: string,
  changes: AgreementChanges,
): Promise<AgreementRow> {
  const row = await tx
    .updateTable('agreement')
    .set(changes)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (changes.requestId)
    await addToDirectory(tx, { officeId, kind: 'agreement', key: `${row.provider} ${changes.requestId}` });
  return row;
}

/** Marks the office as signed, which opens the panel; returns false if it was signed before. */
export async function markOfficeSigned(tx: Tx, officeId: string, signedAt: Date): Promise<boolean> {
  const marked = await tx
    .updateTable('office')
    .set({ agreementSignedAt: signedAt })
    .where('id', '=', officeId)
    .where('agreementSignedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Saves a provider's event; returns false if it was saved before. */
export async function insertEvent(
  tx: Tx,
  scope: Pick<OfficeScope, 'officeId' | 'id' | 'now'>,
  agreementId: string,
  event: { key: string; type: string },
): Promise<boolean> {
  const added = await tx
    .insertInto('agreementEvent')
    .values({ officeId: scope.officeId, id: scope.id(), agreementId, ...event, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

interface AgreementKey {
  officeId: string;
  id: string;
}

/** Agreements whose check is due, of all offices. */
export async function dueAgreements(pool: pg.Pool, now: Date, limit: number): Promise<AgreementKey[]> {
  const { rows } = await pool.query<{ office_id: string; id: string }>('select * from door_due_agreements($1, $2)', [
    now,
    limit,
  ]);
  return rows.map(({ office_id, id }) => ({ officeId: office_id, id }));
}

export async function agreementByRequest(
  pool: pg.Pool,
  provider: string,
  requestId: string,
): Promise<AgreementKey | undefined> {
  const { rows } = await pool.query<{ office_id: string; id: string }>(
    'select * from door_agreement_by_request($1, $2)',
    [provider, requestId],
  );
  return rows[0] && { officeId: rows[0].office_id, id: rows[0].id };
}
