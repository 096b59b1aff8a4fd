import { sql, type Selectable } from 'kysely';
import type pg from 'pg';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

export type SubscriptionRow = Selectable<DB['pushSubscription']>;

/** The device a session is on; null for a caller without cookies. */
export async function deviceOfSession(db: Db, sessionId: string): Promise<string | null> {
  const row = await db.selectFrom('auth.session').select('deviceId').where('id', '=', sessionId).executeTakeFirst();
  return row?.deviceId ?? null;
}

/** A person's subscriptions at an office, the oldest first. */
export function subscriptionsOf(tx: Tx, officeId: string, personId: string): Promise<SubscriptionRow[]> {
  return tx
    .selectFrom('pushSubscription')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('personId', '=', personId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** The same browser again is the same row, also when another person signed in on it meanwhile. */
export function saveSubscription(
  tx: Tx,
  row: Pick<
    SubscriptionRow,
    | 'officeId'
    | 'id'
    | 'personId'
    | 'sessionId'
    | 'deviceId'
    | 'endpoint'
    | 'p256dh'
    | 'auth'
    | 'language'
    | 'userAgent'
    | 'createdAt'
  >,
): Promise<SubscriptionRow> {
  const { officeId: _office, id: _id, endpoint: _endpoint, ...changes } = row;
  return tx
    .insertInto('pushSubscription')
    .values(row)
    .onConflict((known) => known.columns(['officeId', 'endpoint']).doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteSubscription(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx.deleteFrom('pushSubscription').where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** False when it is not this person's. */
export async function deleteOwnSubscription(tx: Tx, officeId: string, personId: string, id: string): Promise<boolean> {
  const dropped = await tx
    .deleteFrom('pushSubscription')
    .where('officeId', '=', officeId)
    .where('personId', '=', personId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return dropped !== undefined;
}

/** No more pushes to a person from this office. */
export async function stopPushesTo(tx: Tx, officeId: string, personId: string): Promise<void> {
  await tx.deleteFrom('pushSubscription').where('officeId', '=', officeId).where('personId', '=', personId).execute();
}

/** Signing out ends what the browser of that session was told. */
export async function stopPushesOfSession(
  tx: Tx,
  officeId: string,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<void> {
  const deviceId = await deviceOfSession(tx, sessionId);
  await tx
    .deleteFrom('pushSubscription')
    .where('officeId', '=', officeId)
    .where('personId', '=', personId)
    .where((q) => q.or([q('sessionId', '=', sessionId), ...(deviceId ? [q('deviceId', '=', deviceId)] : [])]))
    .execute();
}

export async function makeDue(tx: Tx, officeId: string, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('pushSubscription')
    .set({ dueAt: at, retryAt: null })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

/** Everybody who asked is told of an arrival at `at`: a write to be done together with others. */
export function arrivalPushStatement(tx: Tx, officeId: string, at: Date) {
  return tx.updateTable('pushSubscription').set({ dueAt: at }).where('officeId', '=', officeId);
}

export interface ClaimedPush {
  officeId: string;
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  language: 'en' | 'es';
  dueAt: Date;
  tries: number;
}

/** Claims due pushes, committed when this answers. */
export async function claimPushes(
  pool: pg.Pool,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<ClaimedPush[]> {
  const { rows } = await pool.query<Omit<ClaimedPush, 'officeId' | 'dueAt'> & { office_id: string; due_at: Date }>({
    name: 'door_claim_pushes',
    text: 'select * from door_claim_pushes($1, $2, $3)',
    values: [now, `${leaseMs} milliseconds`, limit],
  });
  return rows.map(({ office_id, due_at, ...row }) => ({ ...row, officeId: office_id, dueAt: due_at }));
}

/** Told: nothing is due any more, unless somebody arrived meanwhile. `sentAt` null: not told, and not worth telling. */
export async function settlePush(tx: Tx, { officeId, id, dueAt }: ClaimedPush, sentAt: Date | null): Promise<void> {
  await tx
    .updateTable('pushSubscription')
    .set({
      dueAt: sql`case when due_at = ${dueAt} then null else due_at end`,
      retryAt: null,
      leaseUntil: null,
      tries: 0,
      ...(sentAt && { lastSentAt: sentAt }),
    })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

export async function postponePush(tx: Tx, { officeId, id }: ClaimedPush, retryAt: Date): Promise<void> {
  await tx
    .updateTable('pushSubscription')
    .set({ retryAt, leaseUntil: null })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}
