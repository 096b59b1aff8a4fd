import type { Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { addToDirectory, removeFromDirectory } from '#server/kit/db/office-directory.ts';

/** Everybody who signs in, with the settings they were given. */
export function everyPerson(db: Db) {
  return db.selectFrom('auth.person').select(['name', 'settings']).execute();
}

/** The person who signs in with this address or number. */
export function findPersonByIdentity(db: Db, value: string) {
  return db
    .selectFrom('auth.identity as i')
    .innerJoin('auth.person as p', 'p.id', 'i.personId')
    .select(['p.id', 'p.name', 'p.settings'])
    .where('i.value', '=', value)
    .executeTakeFirst();
}

export async function personSettings(db: Db, personId: string): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('auth.person')
    .select('settings')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return row.settings;
}

export async function setPersonSettings(db: Db, personId: string, settings: Record<string, unknown>): Promise<void> {
  await db
    .updateTable('auth.person')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', personId)
    .execute();
}

export async function insertPerson(db: Db, person: Insertable<DB['auth.person']>): Promise<void> {
  await db.insertInto('auth.person').values(person).execute();
}

export async function insertIdentity(db: Db, identity: Insertable<DB['auth.identity']>): Promise<void> {
  await db.insertInto('auth.identity').values(identity).execute();
}

/** The office's members, the longest-serving first. */
export function membersOf(tx: Tx, officeId: string) {
  return tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .select(['p.id', 'p.name'])
    .where('m.officeId', '=', officeId)
    .orderBy('m.createdAt')
    .orderBy('m.id')
    .execute();
}

/** What these people sign in with, emails first. */
export async function identitiesOfPeople(tx: Tx, personIds: readonly string[]) {
  if (personIds.length === 0) return [];
  return tx
    .selectFrom('auth.identity')
    .select(['personId', 'value'])
    .where('personId', 'in', personIds)
    .orderBy('kind')
    .execute();
}

/** A colleague in this office; undefined for anybody else. */
export function colleague(tx: Tx, officeId: string, personId: string) {
  return tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .select(['p.id', 'p.name', 'p.settings'])
    .where('m.officeId', '=', officeId)
    .where('m.personId', '=', personId)
    .executeTakeFirst();
}

export async function insertMembership(tx: Tx, membership: Insertable<DB['membership']>): Promise<void> {
  await tx.insertInto('membership').values(membership).execute();
  const { officeId, personId } = membership;
  await addToDirectory(tx, { officeId, kind: 'person', key: personId });
}

export async function deleteMembership(tx: Tx, officeId: string, personId: string): Promise<void> {
  await tx.deleteFrom('membership').where('officeId', '=', officeId).where('personId', '=', personId).execute();
  await removeFromDirectory(tx, { officeId, kind: 'person', key: personId });
}

/** Revokes the open invitations that a person sent. */
export async function revokeInvitationsBy(tx: Tx, officeId: string, personId: string, at: Date): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ state: 'revoked', endedAt: at })
    .where('officeId', '=', officeId)
    .where('invitedBy', '=', personId)
    .where('state', '=', 'open')
    .execute();
}
