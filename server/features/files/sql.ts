import type { Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export const insertLinkStatement = (tx: Tx, link: Insertable<DB['fileLink']>) => tx.insertInto('fileLink').values(link);

/** The file of a link, if neither the link nor its share has ended. */
export function findOpenLink(tx: Tx, officeId: string, id: string, now: Date) {
  return tx
    .selectFrom('fileLink as l')
    .leftJoin('shareLink as s', (join) => join.onRef('s.officeId', '=', 'l.officeId').onRef('s.id', '=', 'l.shareId'))
    .select(['l.objectKey', 'l.fileName', 'l.disposition', 'l.texted', 'l.openedBy', 'l.expiresAt'])
    .where('l.officeId', '=', officeId)
    .where('l.id', '=', id)
    .where('l.expiresAt', '>', now)
    .where((q) => q.or([q('l.shareId', 'is', null), q.and([q('s.revokedAt', 'is', null), q('s.expiresAt', '>', now)])]))
    .executeTakeFirst();
}

/** Gives a link in a text to the browser that opens it first; false if another one has it. */
export async function claimTextedLink(
  tx: Tx,
  officeId: string,
  { id, openedBy, now }: { id: string; openedBy: Buffer; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('fileLink')
    .set({ openedBy })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .where('texted', '=', true)
    .where('openedBy', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the links to a file at this time, if they last longer. */
export async function shortenFileLinks(tx: Tx, officeId: string, objectKey: string, expiresAt: Date): Promise<void> {
  await tx
    .updateTable('fileLink')
    .set({ expiresAt })
    .where('officeId', '=', officeId)
    .where('objectKey', '=', objectKey)
    .where('expiresAt', '>', expiresAt)
    .execute();
}

/** Deletes the links that ended before `expiredBefore`. */
export async function deleteLinks(tx: Tx, officeId: string, expiredBefore: Date): Promise<void> {
  await tx.deleteFrom('fileLink').where('officeId', '=', officeId).where('expiresAt', '<', expiredBefore).execute();
}
