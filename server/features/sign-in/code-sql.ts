import type { Db, Tx } from '#server/kit/db/db.ts';

export function addCode(
  db: Db,
  code: {
    id: string;
    identifier: string;
    purpose: string;
    scope: string;
    codeHash: Buffer;
    createdAt: Date;
    expiresAt: Date;
  },
) {
  return db.insertInto('auth.code').values(code).execute();
}

/** Locks the row that counts tries under this key; creates it if missing. Only one try at a time holds the lock. */
export function lockTries(tx: Tx, key: Buffer, at: Date): Promise<{ codeId: string | null; tries: number }> {
  return tx
    .insertInto('auth.codeTry')
    .values({ key, triedAt: at })
    .onConflict((row) => row.column('key').doUpdateSet({ triedAt: at }))
    .returning(['codeId', 'tries'])
    .executeTakeFirstOrThrow();
}

export async function saveTries(tx: Tx, key: Buffer, tries: { codeId: string | null; tries: number }): Promise<void> {
  await tx.updateTable('auth.codeTry').set(tries).where('key', '=', key).execute();
}

export function latestCode(tx: Tx, identifier: string, purpose: string, scope: string) {
  return tx
    .selectFrom('auth.code')
    .selectAll()
    .where('identifier', '=', identifier)
    .where('purpose', '=', purpose)
    .where('scope', '=', scope)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function setCodeUsed(tx: Tx, id: string, usedAt: Date): Promise<void> {
  await tx.updateTable('auth.code').set({ usedAt }).where('id', '=', id).execute();
}

export async function addFailure(
  tx: Tx,
  failure: { id: string; identifier: string; scope: string; at: Date; isCounted: boolean },
): Promise<void> {
  await tx.insertInto('auth.failedCode').values(failure).execute();
}

export async function failuresSince(tx: Tx, identifier: string, scope: string, since: Date): Promise<number> {
  const { failures } = await tx
    .selectFrom('auth.failedCode')
    .select((row) => row.fn.countAll<number>().as('failures'))
    .where('identifier', '=', identifier)
    .where('scope', '=', scope)
    .where('isCounted', '=', true)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return failures;
}

/** The time of the newest failure after skipping `skipped` newer ones, if it is later than `since`. */
export async function failureBefore(
  db: Db,
  { identifier, scope, since, skipped }: { identifier: string; scope: string; since: Date; skipped: number },
): Promise<Date | null> {
  const failure = await db
    .selectFrom('auth.failedCode')
    .select('at')
    .where('identifier', '=', identifier)
    .where('scope', '=', scope)
    .where('isCounted', '=', true)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .offset(skipped)
    .limit(1)
    .executeTakeFirst();
  return failure?.at ?? null;
}

export async function forgetCodesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auth.code').where('createdAt', '<', before).execute();
  await db.deleteFrom('auth.codeTry').where('triedAt', '<', before).execute();
  await db.deleteFrom('auth.failedCode').where('at', '<', before).execute();
}
