import type { Selectable } from 'kysely';
import { runningStates, type AgreementState } from '#contract/agreement.ts';
import type { Agreement } from '#db/tables.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';

export type AgreementRow = Omit<Selectable<Agreement>, 'state'> & { state: AgreementState };
type Changes = Partial<Omit<AgreementRow, 'officeId' | 'id'>>;

/** The running one, else the one asked for last. */
export async function latestAgreement(tx: Tx, officeId: string): Promise<AgreementRow | undefined> {
  const rows = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const agreements = rows as AgreementRow[];
  const isRunning = ({ state }: AgreementRow) => (runningStates as readonly AgreementState[]).includes(state);
  return agreements.find(isRunning) ?? agreements[0];
}

/** The one signed last. */
export async function signedAgreement(tx: Tx, officeId: string): Promise<AgreementRow | undefined> {
  const row = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('state', '=', 'signed')
    .orderBy('signedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as AgreementRow | undefined;
}

export async function agreementById(tx: Tx, officeId: string, id: string): Promise<AgreementRow | undefined> {
  const row = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row as AgreementRow | undefined;
}

/** The same, and nobody else may change it until this transaction is over. */
export async function lockAgreement(tx: Tx, officeId: string, id: string): Promise<AgreementRow> {
  const row = await tx
    .selectFrom('agreement')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row as AgreementRow;
}

/** Puts a new one before a signer; undefined when the office has one running. */
export async function addAgreement(
  tx: Tx,
  row: Pick<AgreementRow, 'officeId' | 'id' | 'version' | 'provider' | 'signerName' | 'signerEmail' | 'askedBy'> & {
    askedAt: Date;
    leaseUntil: Date;
  },
): Promise<AgreementRow | undefined> {
  // Not while the office's name is being corrected: the document would have the old one.
  await tx.selectFrom('office').select('id').where('id', '=', row.officeId).forShare().execute();
  const added = await tx
    .insertInto('agreement')
    .values({ ...row, state: 'asking', checkAt: row.leaseUntil })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return added as AgreementRow | undefined;
}

/** Takes over asking the provider from a process that has been gone for longer than its lease; undefined when somebody else did. */
export async function takeOverAsking(
  tx: Tx,
  row: AgreementRow,
  now: Date,
  leaseUntil: Date,
): Promise<AgreementRow | undefined> {
  const taken = await tx
    .updateTable('agreement')
    .set({ leaseUntil, checkAt: leaseUntil })
    .where('officeId', '=', row.officeId)
    .where('id', '=', row.id)
    .where('state', '=', 'asking')
    .where('leaseUntil', '<=', now)
    .returningAll()
    .executeTakeFirst();
  return taken as AgreementRow | undefined;
}

export async function changeAgreement(tx: Tx, officeId: string, id: string, changes: Changes): Promise<AgreementRow> {
  const row = await tx
    .updateTable('agreement')
    .set(changes)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (changes.requestId)
    await addToDirectory(tx, { officeId, kind: 'agreement', key: `${row.provider} ${changes.requestId}` });
  return row as AgreementRow;
}

/** From now on the office may be entered; false when it could before. */
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

/** Keeps what a callback told, once; false when it was told before. */
export async function keepEvent(
  tx: Tx,
  scope: Pick<OfficeScope, 'officeId' | 'id' | 'now'>,
  agreementId: string,
  event: { key: string; type: string },
): Promise<boolean> {
  const kept = await tx
    .insertInto('agreementEvent')
    .values({ officeId: scope.officeId, id: scope.id(), agreementId, ...event, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}
