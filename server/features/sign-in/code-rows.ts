import type { Db, Tx } from '#server/kit/db.ts';

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

export function lockLatestCode(tx: Tx, identifier: string, purpose: string, scope: string) {
  return tx
    .selectFrom('auth.code')
    .selectAll()
    .where('identifier', '=', identifier)
    .where('purpose', '=', purpose)
    .where('scope', '=', scope)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

/** `usedAt` null: a wrong try. */
export async function countTry(tx: Tx, id: string, usedAt: Date | null): Promise<void> {
  await tx
    .updateTable('auth.code')
    .set((code) => ({ tries: code('tries', '+', 1), usedAt }))
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .execute();
}

export async function addFailure(
  tx: Tx,
  failure: { id: string; identifier: string; scope: string; at: Date },
): Promise<void> {
  await tx.insertInto('auth.failedCode').values(failure).execute();
}

export async function failuresSince(tx: Tx, identifier: string, scope: string, since: Date): Promise<number> {
  const { failures } = await tx
    .selectFrom('auth.failedCode')
    .select((row) => row.fn.countAll<number>().as('failures'))
    .where('identifier', '=', identifier)
    .where('scope', '=', scope)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return failures;
}

export async function forgetCodesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auth.code').where('createdAt', '<', before).execute();
  await db.deleteFrom('auth.failedCode').where('at', '<', before).execute();
}
