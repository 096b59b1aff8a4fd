import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db/db.ts';

/** Whether a member of any office signed in from this network since then. */
export async function staffSignedInFrom(db: Db, network: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from auth.session s
      where s.network = ${network} and s.created_at > ${since} and exists (select from door_offices_of(s.person_id))
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

/** The device on which a session was opened, if the person has not signed it out since; else null. */
export async function deviceOfSession(
  db: Db,
  { sessionId, personId }: { sessionId: string; personId: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('auth.session as s')
    .innerJoin('auth.knownDevice as k', (join) =>
      join.onRef('k.deviceId', '=', 's.deviceId').onRef('k.personId', '=', 's.personId'),
    )
    .select('k.deviceId')
    .where('s.id', '=', sessionId)
    .where('s.personId', '=', personId)
    .executeTakeFirst();
  return row?.deviceId ?? null;
}

/** Whether the session's person has a PIN on the session's device. */
export async function sessionHasPin(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('auth.session as s')
    .innerJoin('auth.devicePin as p', (join) =>
      join.onRef('p.deviceId', '=', 's.deviceId').onRef('p.personId', '=', 's.personId'),
    )
    .select('p.deviceId')
    .where('s.id', '=', sessionId)
    .where('s.kind', '=', 'cookie')
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

export async function forgetDevice(tx: Tx, deviceId: string, personId: string): Promise<void> {
  await tx.deleteFrom('auth.knownDevice').where('deviceId', '=', deviceId).where('personId', '=', personId).execute();
}

/** Signing out everywhere removes the PIN of the device that stays known, too. */
export async function forgetPins(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('auth.devicePin').where('personId', '=', personId).execute();
}

export async function forgetOtherDevices(tx: Tx, personId: string, exceptDeviceId: string | null): Promise<void> {
  await tx
    .deleteFrom('auth.knownDevice')
    .where('personId', '=', personId)
    .$if(exceptDeviceId !== null, (known) => known.where('deviceId', '!=', exceptDeviceId as string))
    .execute();
}
