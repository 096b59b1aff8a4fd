import type { Readable } from 'node:stream';
import type { OfficeScope } from '#server/context.ts';
import { fromStore } from '#server/features/files/index.ts';
import { officeRow } from '#server/office-row.ts';
import { newFileKey, type StoredFile } from '#server/providers/storage/port.ts';

export type FileKind = 'photo' | 'signature' | 'pdf';

export interface KeptFile {
  id: string;
  objectKey: string;
  contentType: string;
  bytes: number;
  sha256: string;
}

/**
 * Writes a file of a visit into the store. Its row is written before, so that what a crash leaves behind is found and removed. Throws
 * files_away when the store does not take it; then nothing is left.
 */
export async function keepFile(
  scope: OfficeScope,
  given: {
    visitId: string;
    tokenId: string;
    kind: FileKind;
    content: Buffer;
    contentType: string;
    width?: number;
    height?: number;
  },
): Promise<KeptFile> {
  const { officeId } = scope;
  const id = scope.id();
  const { content, ...about } = given;
  const objectKey = await scope.transaction(async (tx) => {
    const key = newFileKey(scope, (await officeRow(tx, officeId)).npi);
    await tx
      .insertInto('formFile')
      .values({ officeId, id, objectKey: key, createdAt: scope.now(), ...about })
      .execute();
    return key;
  });
  const stored = await fromStore(scope, () =>
    scope.providers.storage.put(objectKey, content, { contentType: given.contentType }),
  ).catch(async (error: unknown) => {
    await forgetFile(scope, { id, objectKey });
    throw error;
  });
  const { bytes, sha256 } = stored;
  await scope.transaction((tx) =>
    tx
      .updateTable('formFile')
      .set({ bytes, sha256, storedAt: scope.now() })
      .where('officeId', '=', officeId)
      .where('id', '=', id)
      .execute(),
  );
  return { id, objectKey, contentType: given.contentType, bytes, sha256 };
}

/** Removes a file that nothing refers to. The row goes last: what could not be removed now is tried again by the job. */
export async function forgetFile(
  scope: OfficeScope,
  { id, objectKey }: { id: string; objectKey: string },
): Promise<void> {
  try {
    await scope.providers.storage.delete(objectKey);
  } catch (error) {
    scope.log.warn({ err: error, file: id }, 'a file that is not needed could not be removed yet');
    return;
  }
  await scope.transaction((tx) =>
    tx.deleteFrom('formFile').where('officeId', '=', scope.officeId).where('id', '=', id).execute(),
  );
}

/** A file's content and what is known of it. Throws files_away, also for one that is gone: the database says it is there. */
export function openFile(scope: OfficeScope, key: string): Promise<{ file: StoredFile; content: Readable }> {
  return fromStore(scope, () => scope.providers.storage.get(key));
}

export async function readFile(scope: OfficeScope, key: string): Promise<Buffer> {
  const { content } = await openFile(scope, key);
  const parts: Buffer[] = [];
  return fromStore(scope, async () => {
    for await (const part of content) parts.push(part as Buffer);
    return Buffer.concat(parts);
  });
}
