import { sql, type Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export async function insertPicture(tx: Tx, file: Insertable<DB['messageFile']>): Promise<void> {
  await tx.insertInto('messageFile').values(file).execute();
}

/** Saves that the store has the file's content. */
export async function setPictureStored(
  tx: Tx,
  officeId: string,
  id: string,
  stored: { bytes: number; sha256: string; storedAt: Date },
): Promise<void> {
  await tx.updateTable('messageFile').set(stored).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** The statement that saves that a message shows the picture. */
export const pictureUsedStatement = (tx: Tx, officeId: string, id: string, usedAt: Date) =>
  tx.updateTable('messageFile').set({ usedAt }).where('officeId', '=', officeId).where('id', '=', id);

/** A picture that a message of the conversation shows. */
export function findPicture(
  tx: Tx,
  officeId: string,
  { conversationId, fileId }: { conversationId: string; fileId: string },
) {
  return tx
    .selectFrom('messageFile')
    .select(['objectKey', 'contentType', 'bytes'])
    .where('officeId', '=', officeId)
    .where('id', '=', fileId)
    .where('conversationId', '=', conversationId)
    .where('usedAt', 'is not', null)
    .executeTakeFirst();
}

/** Where a picture is in the store. */
export async function keyOfPicture(tx: Tx, officeId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('messageFile')
    .select('objectKey')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.objectKey;
}

/** A picture that a message of the visit shows. */
export function findVisitPicture(tx: Tx, officeId: string, { visitId, fileId }: { visitId: string; fileId: string }) {
  return tx
    .selectFrom('message as m')
    .innerJoin('messageFile as f', (join) => join.onRef('f.officeId', '=', 'm.officeId').onRef('f.id', '=', 'm.fileId'))
    .select('f.objectKey')
    .where('m.officeId', '=', officeId)
    .where('m.visitId', '=', visitId)
    .where('f.id', '=', fileId)
    .where('f.usedAt', 'is not', null)
    .executeTakeFirst();
}

/** Whose pictures are counted: everybody's, those outside of the website's conversations, or those that its visitors sent. */
export type PictureSenders = 'all' | 'outside-website' | 'visitors';

/** How many bytes of pictures the office has stored since then. */
export async function bytesSince(
  tx: Tx,
  officeId: string,
  { since, senders }: { since: Date; senders: PictureSenders },
): Promise<number> {
  const isOfVisitor = sql<boolean>`exists (
    select from message m
    where m.office_id = f.office_id and m.conversation_id = f.conversation_id and m.file_id = f.id and m.sender = 'patient'
  )`;
  const row = await tx
    .selectFrom('messageFile as f')
    .innerJoin('conversation as c', (join) =>
      join.onRef('c.officeId', '=', 'f.officeId').onRef('c.id', '=', 'f.conversationId'),
    )
    .select(sql<number>`coalesce(sum(f.bytes), 0)::float8`.as('bytes'))
    .where('f.officeId', '=', officeId)
    .where('f.createdAt', '>=', since)
    .$if(senders === 'outside-website', (q) => q.where('c.channel', '<>', 'web'))
    .$if(senders === 'visitors', (q) => q.where('c.channel', '=', 'web').where(isOfVisitor))
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Pictures made before that time which no message shows. */
export function unusedPictures(tx: Tx, officeId: string, { before, most }: { before: Date; most: number }) {
  return tx
    .selectFrom('messageFile')
    .select(['id', 'objectKey'])
    .where('officeId', '=', officeId)
    .where('usedAt', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(most)
    .execute();
}

export async function deletePictureRow(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx.deleteFrom('messageFile').where('officeId', '=', officeId).where('id', '=', id).execute();
}
