import type { Db, Tx } from '#server/kit/db/db.ts';
import type { Identifier } from './identifier.ts';

export async function addSession(
  tx: Tx,
  session: {
    id: string;
    personId: string;
    identityId: string | null;
    tokenHash: Buffer;
    kind: 'cookie' | 'bearer';
    deviceId: string | null;
    address: string;
    /** The network of the address (`networkOf`). */
    network: string;
    userAgent: string;
    createdAt: Date;
    activeAt: Date;
    provedAt: Date;
    secondStepAt: Date | null;
    tokenExpiresAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.insertInto('auth.session').values(session).execute();
}

/** Returns false if it had already ended. */
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

/** Ends all sessions of a person, or only the one with `id`; returns those it ended. */
export function endSessionsOf(tx: Tx, personId: string, at: Date, id?: string) {
  return tx
    .updateTable('auth.session')
    .set({ endedAt: at })
    .where('personId', '=', personId)
    .where('endedAt', 'is', null)
    .$if(id !== undefined, (session) => session.where('id', '=', id as string))
    .returning(['id', 'deviceId'])
    .execute();
}

/** Ends sessions that reached their end or whose token was not renewed; returns their ids. */
export async function endExpiredSessions(tx: Tx, now: Date): Promise<string[]> {
  const ended = await tx
    .updateTable('auth.session')
    .set((session) => ({ endedAt: session.fn.coalesce('tokenExpiresAt', 'expiresAt') }))
    .where('endedAt', 'is', null)
    .where((session) => session(session.fn.coalesce('tokenExpiresAt', 'expiresAt'), '<=', now))
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/** A person's open sessions, the last used first. */
export function openSessionsOf(db: Db, personId: string, now: Date) {
  return db
    .selectFrom('auth.session')
    .select(['id', 'kind', 'address', 'userAgent', 'createdAt', 'activeAt', 'lockedAt'])
    .where('personId', '=', personId)
    .where('endedAt', 'is', null)
    .where((session) => session(session.fn.coalesce('tokenExpiresAt', 'expiresAt'), '>', now))
    .orderBy('activeAt', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

export function lockSessionRow(tx: Tx, id: string) {
  return tx
    .selectFrom('auth.session')
    .select(['personId', 'tokenHash', 'tokenExpiresAt', 'expiresAt'])
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function renewToken(
  tx: Tx,
  id: string,
  {
    at,
    ...token
  }: { tokenHash: Buffer; tokenExpiresAt: Date; previousTokenHash: Buffer; previousUntil: Date; at: Date },
): Promise<void> {
  await tx.updateTable('auth.session').set(token).where('id', '=', id).execute();
  await tx
    .insertInto('auth.replacedToken')
    .values({ tokenHash: token.previousTokenHash, sessionId: id, replacedAt: at })
    .execute();
}

/** The session of a replaced token, and when it was replaced. */
export function findReplacedToken(tx: Tx, tokenHash: Buffer) {
  return tx
    .selectFrom('auth.replacedToken')
    .select(['sessionId', 'replacedAt'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
}

/** Returns the latest activity, which never moves back; null if the session is locked or ended. */
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

export async function setLocked(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('auth.session')
    .set({ lockedAt: at })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
}

/**
 * Unlocks a session, which counts as activity. `proves`: this is a proof of identity, required to change sign-in methods. `secondStep`: this
 * counts as the second sign-in step.
 */
export async function setUnlocked(
  tx: Tx,
  id: string,
  at: Date,
  { proves, secondStep }: { proves: boolean; secondStep: boolean },
): Promise<void> {
  await tx
    .updateTable('auth.session')
    .set({ lockedAt: null, activeAt: at, ...(proves && { provedAt: at }), ...(secondStep && { secondStepAt: at }) })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
}

/** Saves that the session passed the second sign-in step. */
export async function setSecondStep(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('auth.session').set({ secondStepAt: at }).where('id', '=', id).execute();
}

/** The identity the person signed in with, else their first one. */
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
  return row;
}

export async function forgetSessionsEndedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auth.session').where('endedAt', '<', before).execute();
}
