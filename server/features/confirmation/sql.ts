import type pg from 'pg';
import type { Tx } from '#server/kit/db/db.ts';

/**
 * The practice's confirmation, locked so that tries of a code are counted one at a time. Undefined for a practice that was never limited.
 */
export function lockConfirmation(tx: Tx, officeId: string) {
  return tx
    .selectFrom('officeConfirmation')
    .selectAll()
    .where('officeId', '=', officeId)
    .forUpdate()
    .executeTakeFirst();
}

/** Throws if the practice has no confirmation: a sent code would not be saved. */
export async function setConfirmation(
  tx: Tx,
  officeId: string,
  columns: {
    operatorMailedAt?: Date;
    claimedUntil?: Date | null;
    mailTries?: number;
    codePhone?: string;
    codeHash?: Buffer | null;
    codeSentAt?: Date;
    codeExpiresAt?: Date;
    codeTries?: number;
  },
): Promise<void> {
  await tx
    .updateTable('officeConfirmation')
    .set(columns)
    .where('officeId', '=', officeId)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Confirms a limited practice; false if it was already confirmed. */
export async function setConfirmed(tx: Tx, officeId: string, at: Date, by: 'operator' | 'phone'): Promise<boolean> {
  const done = await tx
    .updateTable('office')
    .set({ confirmedAt: at, confirmedBy: by })
    .where('id', '=', officeId)
    .where('confirmedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return done !== undefined;
}

/** Revokes a confirmation, along with any valid code; false if the practice was not confirmed. */
export async function setLimited(
  tx: Tx,
  { officeId, id, now }: { officeId: string; id: string; now: Date },
): Promise<boolean> {
  const done = await tx
    .updateTable('office')
    .set({ confirmedAt: null, confirmedBy: null })
    .where('id', '=', officeId)
    .where('confirmedAt', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (!done) return false;
  await tx
    .insertInto('officeConfirmation')
    .values({ officeId, id, createdAt: now, operatorMailedAt: now })
    .onConflict((conflict) => conflict.column('officeId').doUpdateSet({ operatorMailedAt: now, codeHash: null }))
    .execute();
  return true;
}

export async function findOfficeName(tx: Tx, officeId: string): Promise<string | undefined> {
  const office = await tx.selectFrom('office').select('name').where('id', '=', officeId).executeTakeFirst();
  return office?.name;
}

/** The email addresses and numbers of an office's staff, the longest members first. */
export async function staffIdentities(tx: Tx, officeId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('membership as m')
    .innerJoin('auth.identity as i', 'i.personId', 'm.personId')
    .select('i.value')
    .where('m.officeId', '=', officeId)
    .orderBy('m.createdAt')
    .orderBy('i.kind')
    .limit(20)
    .execute();
  return rows.map(({ value }) => value);
}

/** Every limited practice, the oldest first. */
export async function limitedOfficeIds(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select door_limited_offices() as id');
  return rows.map(({ id }) => id);
}

/** Limited practices with a signed agreement that the operator was not emailed about. */
export async function unmailedOfficeIds(pool: pg.Pool, now: Date, atMost: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select door_due_confirmation_mails($1, $2) as id', [now, atMost]);
  return rows.map(({ id }) => id);
}
