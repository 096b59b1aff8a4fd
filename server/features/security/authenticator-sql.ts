import type { Db, Tx } from '#server/kit/db/db.ts';

/** Locks the person's row, so that tries run one after another; creates it if missing. */
export async function lockAuthenticator(tx: Tx, personId: string) {
  await tx
    .insertInto('auth.authenticator')
    .values({ personId })
    .onConflict((known) => known.column('personId').doNothing())
    .execute();
  return tx
    .selectFrom('auth.authenticator')
    .selectAll()
    .where('personId', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function saveAuthenticator(
  tx: Tx,
  personId: string,
  changes: { secret?: Buffer; pendingSecret?: Buffer | null; lastStep?: number },
): Promise<void> {
  await tx.updateTable('auth.authenticator').set(changes).where('personId', '=', personId).execute();
}

/** Sets since when signing in requires the app; null removes the app and its recovery codes. */
export async function setAuthenticatorAt(tx: Tx, personId: string, at: Date | null): Promise<void> {
  await tx.updateTable('auth.person').set({ authenticatorAt: at }).where('id', '=', personId).execute();
  if (at !== null) return;
  await tx.deleteFrom('auth.authenticator').where('personId', '=', personId).execute();
  await tx.deleteFrom('auth.recoveryCode').where('personId', '=', personId).execute();
}

export async function replaceRecoveryCodes(tx: Tx, personId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('auth.recoveryCode').where('personId', '=', personId).execute();
  await tx
    .insertInto('auth.recoveryCode')
    .values(hashes.map((codeHash) => ({ personId, codeHash })))
    .execute();
}

/** Marks a recovery code as used; returns true only once per code. */
export async function useRecoveryCode(tx: Tx, personId: string, codeHash: Buffer, at: Date): Promise<boolean> {
  const used = await tx
    .updateTable('auth.recoveryCode')
    .set({ usedAt: at })
    .where('personId', '=', personId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .returning('personId')
    .executeTakeFirst();
  return used !== undefined;
}

export async function recoveryCodesLeft(db: Db, personId: string): Promise<number> {
  const { left } = await db
    .selectFrom('auth.recoveryCode')
    .select((code) => code.fn.countAll<number>().as('left'))
    .where('personId', '=', personId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}
