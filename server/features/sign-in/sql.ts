import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db.ts';
import type { Identifier } from './identifier.ts';
import type { KnownIdentity } from './people.ts';

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

export async function languageOf(db: Db, identifier: string): Promise<'en' | 'es' | null> {
  const row = await db
    .selectFrom('auth.identity as i')
    .innerJoin('auth.person as p', 'p.id', 'i.personId')
    .select('p.language')
    .where('i.value', '=', identifier)
    .executeTakeFirst();
  return (row?.language ?? null) as 'en' | 'es' | null;
}

/** Did somebody who belongs to an office sign in from this address since then? */
export async function staffSignedInFrom(db: Db, address: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from auth.session s
      where s.address = ${address} and s.created_at > ${since} and exists (select from door_offices_of(s.person_id))
    ) as found`.execute(db);
  return rows[0]?.found === true;
}

export async function findDevice(db: Db, tokenHash: Buffer): Promise<string | null> {
  const row = await db.selectFrom('auth.device').select('id').where('tokenHash', '=', tokenHash).executeTakeFirst();
  return row?.id ?? null;
}

export async function isKnownDevice(db: Db, deviceId: string, identifier: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('auth.knownDevice as k')
    .innerJoin('auth.identity as i', 'i.personId', 'k.personId')
    .select('k.deviceId')
    .where('k.deviceId', '=', deviceId)
    .where('i.value', '=', identifier)
    .where('k.signedInAt', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function addDevice(tx: Tx, { id, tokenHash, at }: { id: string; tokenHash: Buffer; at: Date }) {
  await tx.insertInto('auth.device').values({ id, tokenHash, createdAt: at, lastSeenAt: at }).execute();
}

export async function rememberSignIn(
  tx: Tx,
  { deviceId, personId, at }: { deviceId: string; personId: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('auth.knownDevice')
    .values({ deviceId, personId, signedInAt: at })
    .onConflict((known) => known.columns(['deviceId', 'personId']).doUpdateSet({ signedInAt: at }))
    .execute();
  await tx.updateTable('auth.device').set({ lastSeenAt: at }).where('id', '=', deviceId).execute();
}

export function findIdentity(tx: Tx, value: string): Promise<KnownIdentity | undefined> {
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

/** False when somebody else holds this identifier. */
export async function addIdentity(
  tx: Tx,
  identity: { id: string; personId: string; kind: string; value: string; verifiedAt: Date },
): Promise<boolean> {
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

export async function addSession(
  tx: Tx,
  session: {
    id: string;
    personId: string;
    identityId: string;
    tokenHash: Buffer;
    kind: 'cookie' | 'bearer';
    deviceId: string | null;
    address: string;
    userAgent: string;
    createdAt: Date;
    activeAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.insertInto('auth.session').values(session).execute();
}

/** False when it had ended already. */
export async function endSession(tx: Tx, id: string, at: Date): Promise<boolean> {
  const ended = await tx
    .updateTable('auth.session')
    .set({ endedAt: at })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Ends the sessions whose time is up; answers their ids. */
export async function endExpired(tx: Tx, now: Date): Promise<string[]> {
  const ended = await tx
    .updateTable('auth.session')
    .set((session) => ({ endedAt: session.ref('expiresAt') }))
    .where('endedAt', 'is', null)
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

export async function forgetBefore(db: Db, codes: Date, sessions: Date): Promise<void> {
  await db.deleteFrom('auth.code').where('createdAt', '<', codes).execute();
  await db.deleteFrom('auth.failedCode').where('at', '<', codes).execute();
  await db.deleteFrom('auth.session').where('endedAt', '<', sessions).execute();
}

/** Answers the last touch known, which never moves back; null when it is locked or ended. */
export async function touchSession(db: Db, id: string, at: Date): Promise<Date | null> {
  const touched = await db
    .updateTable('auth.session')
    .set((session) => ({ activeAt: session.fn<Date>('greatest', ['activeAt', session.val(at)]) }))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('lockedAt', 'is', null)
    .returning('activeAt')
    .executeTakeFirst();
  return touched ? touched.activeAt : null;
}

/** `lockedAt` null unlocks, and counts as activity. */
export async function setLocked(tx: Tx, id: string, lockedAt: Date | null, at: Date): Promise<void> {
  await tx
    .updateTable('auth.session')
    .set({ lockedAt, ...(lockedAt === null && { activeAt: at }) })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
}

/** What the person signed in with, else the first way to reach them. */
export async function identityOfSession(db: Db, sessionId: string): Promise<Identifier | undefined> {
  const row = await db
    .selectFrom('auth.session as s')
    .innerJoin('auth.identity as i', 'i.personId', 's.personId')
    .select(['i.kind', 'i.value'])
    .where('s.id', '=', sessionId)
    .orderBy(
      (q) => q('i.id', '=', q.ref('s.identityId')),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('i.verifiedAt')
    .executeTakeFirst();
  return row as Identifier | undefined;
}

export function findPerson(db: Db, id: string) {
  return db
    .selectFrom('auth.person')
    .select(['id', 'name', 'language', 'preferences'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export function identitiesOf(db: Db, personId: string) {
  return db
    .selectFrom('auth.identity')
    .select(['kind', 'value'])
    .where('personId', '=', personId)
    .orderBy('verifiedAt')
    .execute();
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

export interface OfficeOfPerson {
  id: string;
  npi: string;
  name: string;
  agreement_signed_at: Date | null;
}

export async function officesOf(db: Db, personId: string): Promise<OfficeOfPerson[]> {
  const { rows } = await sql<OfficeOfPerson>`select * from door_offices_of(${personId})`.execute(db);
  return rows;
}

export function officeFacts(tx: Tx, officeId: string) {
  return tx
    .selectFrom('office')
    .select([
      'id',
      'npi',
      'name',
      'addressLine1',
      'city',
      'state',
      'zip',
      'timeZone',
      'emr',
      'agreementSignedAt',
      'paymentsQuestionCompleted',
      'settings',
    ])
    .where('id', '=', officeId)
    .executeTakeFirstOrThrow();
}

/** From here on the transaction sees this office's rows and no other's. */
export async function enterOffice(tx: Tx, officeId: string): Promise<void> {
  await sql`select set_config('app.office_id', ${officeId}, true)`.execute(tx);
}
