import type { Db, Tx } from '#server/kit/db/db.ts';

export function passkeysOf(db: Db, personId: string) {
  return db.selectFrom('auth.passkey').selectAll().where('personId', '=', personId).orderBy('createdAt').execute();
}

/** The passkey of a credential, with its person's name. */
export function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('auth.passkey as k')
    .innerJoin('auth.person as p', 'p.id', 'k.personId')
    .selectAll('k')
    .select('p.name as personName')
    .where('k.credentialId', '=', credentialId)
    .executeTakeFirst();
}

/** Returns false if the credential already exists. */
export async function insertPasskey(
  tx: Tx,
  passkey: {
    id: string;
    personId: string;
    credentialId: string;
    publicKey: Buffer;
    counter: number;
    transports: string[];
    name: string;
    synced: boolean;
    createdAt: Date;
  },
): Promise<boolean> {
  const added = await tx
    .insertInto('auth.passkey')
    .values(passkey)
    .onConflict((known) => known.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function savePasskeyUse(tx: Tx, id: string, counter: number, at: Date): Promise<void> {
  await tx.updateTable('auth.passkey').set({ counter, lastUsedAt: at }).where('id', '=', id).execute();
}

/** Returns false if the person has no such passkey. */
export async function deletePasskey(tx: Tx, personId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('auth.passkey')
    .where('personId', '=', personId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}
