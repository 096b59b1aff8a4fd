import { sql } from 'kysely';
import type pg from 'pg';
import type { PictureProblem } from '#contract/queue.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** The offices with pictures to fetch. */
export async function officesWithDuePictures(pool: pg.Pool, now: Date, most: number): Promise<string[]> {
  const { rows } = await pool.query<{ office_id: string }>('select * from door_due_pictures($1, $2)', [now, most]);
  return rows.map(({ office_id }) => office_id);
}

export interface ClaimedPicture {
  /** The id of the message that will show it. */
  id: string;
  conversationId: string;
  source: string;
  tries: number;
  /** It has counted towards the limit of its sender, and waits for that of the practice. */
  counted: boolean;
  sentAt: Date;
}

/** Claims an office's due pictures until `dueAgainAt`. */
export async function claimPictures(
  tx: Tx,
  officeId: string,
  { now, dueAgainAt, most }: { now: Date; dueAgainAt: Date; most: number },
): Promise<ClaimedPicture[]> {
  const { rows } = await sql<ClaimedPicture>`
    with due as (
      select id from incoming_picture where office_id = ${officeId} and due_at <= ${now}
      order by due_at limit ${most} for update skip locked
    )
    update incoming_picture p set due_at = ${dueAgainAt}, tries = p.tries + 1
    from due, message m
    where p.office_id = ${officeId} and p.id = due.id and m.office_id = ${officeId} and m.id = p.id
    returning p.id, m.conversation_id as "conversationId", p.source, p.tries, p.counted,
      m.at as "sentAt"`.execute(tx);
  return rows;
}

/** Tries a picture again later. */
export async function postponePicture(tx: Tx, officeId: string, id: string, dueAt: Date): Promise<void> {
  await tx
    .updateTable('incomingPicture')
    .set({ dueAt })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

/** Leaves a picture to a later hour, in which it is tried as if for the first time. */
export async function leavePictureForLater(tx: Tx, officeId: string, id: string, dueAt: Date): Promise<void> {
  await tx
    .updateTable('incomingPicture')
    .set({ dueAt, tries: 0, counted: true })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

/** Saves what became of a picture in its message; undefined if another process did. */
export async function resolvePicture(
  tx: Tx,
  officeId: string,
  id: string,
  outcome: { fileId: string } | { pictureProblem: PictureProblem },
): Promise<{ visitId: string | null } | undefined> {
  const deletedRow = await tx
    .deleteFrom('incomingPicture')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!deletedRow) return undefined;
  return tx
    .updateTable('message')
    .set(outcome)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returning('visitId')
    .executeTakeFirst();
}
