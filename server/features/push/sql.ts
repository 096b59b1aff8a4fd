import { sql, type RawBuilder, type Selectable } from 'kysely';
import type pg from 'pg';
import type { PushReason } from '#contract/push.ts';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { plusSeconds } from '#server/kit/db/plus-seconds.ts';

export type SubscriptionRow = Selectable<DB['pushSubscription']>;

/** The device of a session; null for a caller without cookies. */
export async function deviceOfSession(db: Db, sessionId: string): Promise<string | null> {
  const row = await db.selectFrom('auth.session').select('deviceId').where('id', '=', sessionId).executeTakeFirst();
  return row?.deviceId ?? null;
}

/** A person's subscriptions at an office, oldest first. */
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

/** The same browser always has the same row, even if another person signed in on it in the meantime. */
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

/** Deletes a subscription; false if it is not this person's. */
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

/** Ends a person's pushes from this office. */
export async function stopPushesTo(tx: Tx, officeId: string, personId: string): Promise<void> {
  await tx.deleteFrom('pushSubscription').where('officeId', '=', officeId).where('personId', '=', personId).execute();
}

/** Signing out ends the pushes to that session's browser. */
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

export async function makePushDue(tx: Tx, officeId: string, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('pushSubscription')
    .set({ dueAt: at, dueFor: 'arrival', retryAt: null })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

/** The statement that makes a push due for every subscriber of the office. Run it after the queue's version, before a conversation. */
export function arrivalPushStatement(tx: Tx, officeId: string, at: Date) {
  return pushStatement(tx, officeId, { dueAt: at, dueFor: dueForStatement('arrival') });
}

/** At least this long after the last push: many patients may answer a list of texts within a minute. */
const messagePauseSeconds = 30;

/**
 * The statement that makes a push about a patient's message due for every subscriber of the office, a pause after their last push. Run it in
 * the same place as `arrivalPushStatement`.
 */
export function messagePushStatement(tx: Tx, officeId: string, at: Date) {
  return pushStatement(tx, officeId, {
    dueAt: sql<Date>`case when due_for <> 'message' and due_at is not null then ${at}::timestamptz
      else greatest(${at}::timestamptz, ${plusSeconds('lastSentAt', messagePauseSeconds)}) end`,
    dueFor: dueForStatement('message'),
  });
}

/** The statement that makes a push about a patient who needs a call due for every subscriber of the office, at once. */
export function callbackPushStatement(tx: Tx, officeId: string, at: Date) {
  return pushStatement(tx, officeId, { dueAt: at, dueFor: sql<PushReason>`'callback'` });
}

/** Locks the rows in one order: two changes at the same moment would deadlock. */
function pushStatement(
  tx: Tx,
  officeId: string,
  due: { dueAt: Date | RawBuilder<Date>; dueFor: RawBuilder<PushReason> },
) {
  return tx
    .updateTable('pushSubscription')
    .set(due)
    .where('officeId', '=', officeId)
    .where('id', 'in', (q) =>
      q.selectFrom('pushSubscription').select('id').where('officeId', '=', officeId).orderBy('id').forUpdate(),
    );
}

const dueForStatement = (reason: PushReason) =>
  sql<PushReason>`case when due_at is null or due_for = ${reason} then ${reason}
    when due_for = 'callback' then 'callback' else 'both' end`;

/** What a claimed push is about, read after the claim: more may have happened since. */
export async function reasonOfPush(tx: Tx, officeId: string, id: string): Promise<PushReason> {
  const row = await tx
    .selectFrom('pushSubscription')
    .select('dueFor')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.dueFor ?? 'arrival';
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

/** Claims due pushes and commits the claim. */
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

/** Marks the push as done, unless another arrival or message came in meanwhile. `sentAt` is null if it was dropped. */
export async function completePush(tx: Tx, { officeId, id, dueAt }: ClaimedPush, sentAt: Date | null): Promise<void> {
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
