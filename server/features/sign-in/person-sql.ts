import { sql, type Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

export interface PersonIdentity {
  identityId: string;
  personId: string;
  personName: string;
}

export async function languageOf(db: Db, identifier: string): Promise<'en' | 'es' | null> {
  const row = await db
    .selectFrom('auth.identity as i')
    .innerJoin('auth.person as p', 'p.id', 'i.personId')
    .select('p.language')
    .where('i.value', '=', identifier)
    .executeTakeFirst();
  return row?.language ?? null;
}

export function findIdentity(tx: Tx, value: string): Promise<PersonIdentity | undefined> {
  return tx
    .selectFrom('auth.identity as i')
    .innerJoin('auth.person as p', 'p.id', 'i.personId')
    .select(['i.id as identityId', 'i.personId', 'p.name as personName'])
    .where('i.value', '=', value)
    .executeTakeFirst();
}

export async function addPerson(tx: Tx, person: { id: string; name: string; createdAt: Date }): Promise<void> {
  await tx.insertInto('auth.person').values(person).execute();
}

/** Returns false if the identifier already belongs to a person. */
export async function addIdentity(tx: Tx, identity: Insertable<DB['auth.identity']>): Promise<boolean> {
  const added = await tx
    .insertInto('auth.identity')
    .values(identity)
    .onConflict((taken) => taken.column('value').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function removePerson(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('auth.person').where('id', '=', id).execute();
}

export function findPerson(db: Db, id: string) {
  return db
    .selectFrom('auth.person')
    .select(['id', 'name', 'language', 'preferences', 'authenticatorAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function savePerson(
  db: Db,
  id: string,
  { language, preferences }: { language?: 'en' | 'es' | undefined; preferences: Record<string, unknown> },
): Promise<void> {
  await db
    .updateTable('auth.person')
    .set({
      preferences: sql`preferences || ${JSON.stringify(preferences)}::jsonb`,
      ...(language && { language }),
    })
    .where('id', '=', id)
    .execute();
}

export async function hasPasskey(db: Db, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('auth.passkey')
    .select('id')
    .where('personId', '=', personId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
