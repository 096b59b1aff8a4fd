import type { Db, Tx } from '#server/kit/db/db.ts';

/** Whose PIN, and where. */
export interface PinKey {
  deviceId: string;
  personId: string;
}

export function findPin(db: Db, { deviceId, personId }: PinKey) {
  return db
    .selectFrom('auth.devicePin')
    .select(['salt', 'setAt'])
    .where('deviceId', '=', deviceId)
    .where('personId', '=', personId)
    .executeTakeFirst();
}

/** Admits one guess at a time. */
export function lockPin(tx: Tx, { deviceId, personId }: PinKey) {
  return tx
    .selectFrom('auth.devicePin')
    .select(['pinHash', 'salt', 'wrongTries'])
    .where('deviceId', '=', deviceId)
    .where('personId', '=', personId)
    .forUpdate()
    .executeTakeFirst();
}

export async function savePin(
  tx: Tx,
  key: PinKey,
  { pinHash, salt, setAt }: { pinHash: Buffer; salt: Buffer; setAt: Date },
): Promise<void> {
  const pin = { pinHash, salt, setAt, wrongTries: 0 };
  await tx
    .insertInto('auth.devicePin')
    .values({ ...key, ...pin })
    .onConflict((known) => known.columns(['deviceId', 'personId']).doUpdateSet(pin))
    .execute();
}

export async function saveWrongTries(tx: Tx, { deviceId, personId }: PinKey, wrongTries: number): Promise<void> {
  await tx
    .updateTable('auth.devicePin')
    .set({ wrongTries })
    .where('deviceId', '=', deviceId)
    .where('personId', '=', personId)
    .execute();
}

/** Returns false if there was none. */
export async function deletePin(tx: Tx, { deviceId, personId }: PinKey): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('auth.devicePin')
    .where('deviceId', '=', deviceId)
    .where('personId', '=', personId)
    .returning('deviceId')
    .executeTakeFirst();
  return deleted !== undefined;
}
