import type { Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { EntryOwner } from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

export async function insertFile(tx: Tx, file: Insertable<DB['formFile']>): Promise<void> {
  await tx.insertInto('formFile').values(file).execute();
}

/** Saves that the store has the file's content. */
export async function setFileStored(
  tx: Tx,
  officeId: string,
  id: string,
  stored: { bytes: number; sha256: string; storedAt: Date },
): Promise<void> {
  await tx.updateTable('formFile').set(stored).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** Saves that a submission refers to these files. */
export async function setFilesUsed(tx: Tx, officeId: string, ids: readonly string[], usedAt: Date): Promise<void> {
  await tx
    .updateTable('formFile')
    .set({ usedAt })
    .where('officeId', '=', officeId)
    .where('id', 'in', ids)
    .where('usedAt', 'is', null)
    .execute();
}

export async function deleteFileRow(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx.deleteFrom('formFile').where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** Files that no submission refers to: PDFs made before `pdfsBefore`, and any file made before `filesBefore`. */
export function unusedFiles(
  tx: Tx,
  officeId: string,
  { pdfsBefore, filesBefore, most }: { pdfsBefore: Date; filesBefore: Date; most: number },
) {
  return tx
    .selectFrom('formFile')
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

const selectPictures = (tx: Tx, officeId: string, visitId: string, own: EntryOwner) =>
  tx
    .selectFrom('formFile')
    .select(['id', 'objectKey', 'contentType', 'bytes', 'kind'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('kind', '<>', 'pdf')
    .where('storedAt', 'is not', null)
    .$if(own !== null, (q) => q.where('tokenId', '=', own));

/** The visit's uploaded pictures that are in the store. */
export function picturesOfVisit(tx: Tx, officeId: string, visitId: string, own: EntryOwner) {
  return selectPictures(tx, officeId, visitId, own).execute();
}

/** One picture of the visit. */
export function findPicture(tx: Tx, officeId: string, visitId: string, id: string, own: EntryOwner) {
  return selectPictures(tx, officeId, visitId, own).where('id', '=', id).executeTakeFirst();
}
