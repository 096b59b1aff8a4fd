import type { Readable } from 'node:stream';
import type { OfficeScope } from '#server/context.ts';
import { callStore } from '#server/features/files/index.ts';
import { officeRow } from '#server/office-row.ts';
import { newFileKey, type StoredFile } from '#server/providers/storage/port.ts';
import { deleteFileRow, insertFile, setFileStored } from './file-sql.ts';

export type FileKind = 'photo' | 'signature' | 'pdf';

export interface StoredFormFile {
  id: string;
  objectKey: string;
  contentType: string;
  bytes: number;
  sha256: string;
}

/**
 * Stores a file of a visit. The row is written first, so that a file left by a crash is found and deleted. Throws files_away if the store
 * fails; then nothing is left.
 */
export async function storeFormFile(
  scope: OfficeScope,
  file: {
    visitId: string;
    tokenId: string;
    kind: FileKind;
    content: Buffer;
    contentType: string;
    width?: number;
    height?: number;
  },
): Promise<StoredFormFile> {
  const { officeId } = scope;
  const id = scope.id();
  const { content, ...about } = file;
  const objectKey = await scope.transaction(async (tx) => {
    const key = newFileKey(scope, (await officeRow(tx, officeId)).npi);
    await insertFile(tx, { officeId, id, objectKey: key, createdAt: scope.now(), ...about });
    return key;
  });
  const stored = await callStore(scope, () =>
    scope.providers.storage.put(objectKey, content, { contentType: file.contentType }),
  ).catch(async (error: unknown) => {
    await deleteFormFile(scope, { id, objectKey });
    throw error;
  });
  const { bytes, sha256 } = stored;
  await scope.transaction((tx) => setFileStored(tx, officeId, id, { bytes, sha256, storedAt: scope.now() }));
  return { id, objectKey, contentType: file.contentType, bytes, sha256 };
}

/** Deletes a file that nothing refers to. The row goes last, so that the job retries what could not be deleted now. */
export async function deleteFormFile(
  scope: OfficeScope,
  { id, objectKey }: { id: string; objectKey: string },
): Promise<void> {
  try {
    await scope.providers.storage.delete(objectKey);
  } catch (error) {
    scope.log.warn({ err: error, file: id }, 'a file that is not needed could not be removed yet');
    return;
  }
  await scope.transaction((tx) => deleteFileRow(tx, scope.officeId, id));
}

/** A file's content and metadata. Throws files_away even if the file is missing, because the database says it exists. */
export function openFormFile(scope: OfficeScope, key: string): Promise<{ file: StoredFile; content: Readable }> {
  return callStore(scope, () => scope.providers.storage.get(key));
}

export async function readFormFile(scope: OfficeScope, key: string): Promise<Buffer> {
  const { content } = await openFormFile(scope, key);
  const parts: Buffer[] = [];
  return callStore(scope, async () => {
    for await (const part of content) parts.push(part as Buffer);
    return Buffer.concat(parts);
  });
}
