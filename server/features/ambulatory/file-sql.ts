import { sql, type Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export async function insertFile(tx: Tx, file: Insertable<DB['episodeFile']>): Promise<void> {
  await tx.insertInto('episodeFile').values(file).execute();
}

/** Saves that the store has the file's content. */
export async function setFileStored(
  tx: Tx,
  officeId: string,
  id: string,
  stored: { bytes: number; sha256: string; storedAt: Date },
): Promise<void> {
  await tx.updateTable('episodeFile').set(stored).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** Saves that a submitted survey refers to these files. */
export async function setFilesUsed(tx: Tx, officeId: string, ids: readonly string[], usedAt: Date): Promise<void> {
  await tx
    .updateTable('episodeFile')
    .set({ usedAt })
    .where('officeId', '=', officeId)
    .where('id', 'in', ids)
    .where('usedAt', 'is', null)
    .execute();
}

export async function deleteFileRow(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx.deleteFrom('episodeFile').where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** The episode's uploaded pictures that are in the store. */
export function picturesOf(tx: Tx, officeId: string, episodeId: string) {
  return tx
    .selectFrom('episodeFile')
    .select(['id', 'objectKey', 'contentType', 'bytes', 'kind'])
    .where('officeId', '=', officeId)
    .where('episodeId', '=', episodeId)
    .where('kind', '<>', 'pdf')
    .where('storedAt', 'is not', null)
    .execute();
}

/** The pictures that were sent since then: how many of the episode no survey refers to, and the bytes of all the practice's patients. */
export async function picturesSince(
  tx: Tx,
  { officeId, episodeId }: { officeId: string; episodeId: string },
  since: Date,
): Promise<{ unused: number; bytes: number }> {
  const pictures = tx
    .selectFrom('episodeFile')
    .where('officeId', '=', officeId)
    .where('kind', '<>', 'pdf')
    .where('createdAt', '>', since);
  const { unused } = await pictures
    .select(sql<number>`count(*)::int`.as('unused'))
    .where('episodeId', '=', episodeId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  const { bytes } = await pictures
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'))
    .executeTakeFirstOrThrow();
  return { unused, bytes };
}

/** Files that no survey refers to: PDFs made before `pdfsBefore`, and any file made before `filesBefore`. */
export function unusedFiles(
  tx: Tx,
  officeId: string,
  { pdfsBefore, filesBefore, most }: { pdfsBefore: Date; filesBefore: Date; most: number },
) {
  return tx
    .selectFrom('episodeFile')
    .select(['id', 'objectKey'])
    .where('officeId', '=', officeId)
    .where('usedAt', 'is', null)
    .where((q) =>
      q.or([q.and([q('kind', '=', 'pdf'), q('createdAt', '<', pdfsBefore)]), q('createdAt', '<', filesBefore)]),
    )
    .orderBy('createdAt')
    .limit(most)
    .execute();
}
