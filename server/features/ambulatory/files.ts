import type { Readable } from 'node:stream';
import { photoMaxBytes } from '#contract/forms/filling.ts';
import type { EpisodeCtx, OfficeScope } from '#server/context.ts';
import { callStore } from '#server/features/files/index.ts';
import { fileUrl } from '#server/features/forms/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { readUpload } from '#server/kit/http/read-upload.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openUploadMemory, type UploadMemory } from '#server/kit/http/upload-memory.ts';
import type { PictureKind } from '#server/kit/picture.ts';
import { officeRow } from '#server/office-row.ts';
import { newFileKey } from '#server/providers/storage/port.ts';
import { auditPatientRead } from './audit-patient-read.ts';
import { findEpisode } from './episode-sql.ts';
import { deleteFileRow, insertFile, picturesOf, picturesSince, setFileStored } from './file-sql.ts';

/** So many can be on their way at once before `mostUnused` counts them. */
const perEpisode = { name: 'episode-photos', points: 30, seconds: 3600 };
/** Photos of an episode in a day that no submitted survey refers to. */
const mostUnused = 20;
/** Photos of all patients of one practice in a day, as they are stored: as many as its messages may have. */
const bytesPerDay = 500_000_000;
const dayMs = 86_400_000;
/** A phone with a weak signal takes a while; no upload may hold a connection for longer. */
const uploadMs = 180_000;

export interface EpisodeFile {
  id: string;
  objectKey: string;
  contentType: string;
  bytes: number;
  sha256: string;
}

/**
 * Stores a file of an episode. The row is written first, so that a file left by a crash is found and deleted. Throws files_away if the store
 * fails; then nothing is left.
 */
export async function storeEpisodeFile(
  scope: OfficeScope,
  file: {
    episodeId: string;
    kind: 'photo' | 'signature' | 'pdf';
    content: Buffer;
    contentType: string;
    width?: number;
    height?: number;
  },
): Promise<EpisodeFile> {
  const { officeId } = scope;
  const { content, ...about } = file;
  const { contentType } = about;
  const id = scope.id();
  const objectKey = await scope.transaction(async (tx) => {
    const key = newFileKey(scope, (await officeRow(tx, officeId)).npi);
    await insertFile(tx, { officeId, id, objectKey: key, createdAt: scope.now(), ...about });
    return key;
  });
  const stored = await callStore(scope, () => scope.providers.storage.put(objectKey, content, { contentType })).catch(
    async (error: unknown) => {
      await deleteEpisodeFile(scope, { id, objectKey });
      throw error;
    },
  );
  const { bytes, sha256 } = stored;
  await scope.transaction((tx) => setFileStored(tx, officeId, id, { bytes, sha256, storedAt: scope.now() }));
  return { id, objectKey, contentType, bytes, sha256 };
}

/** Deletes a file that nothing refers to; false if it could not be deleted now. The row goes last, so that the job tries again. */
export async function deleteEpisodeFile(
  scope: OfficeScope,
  { id, objectKey }: Pick<EpisodeFile, 'id' | 'objectKey'>,
): Promise<boolean> {
  try {
    await scope.providers.storage.delete(objectKey);
  } catch (error) {
    scope.log.warn({ err: error, file: id }, 'a file that is not needed could not be removed yet');
    return false;
  }
  await scope.transaction((tx) => deleteFileRow(tx, scope.officeId, id));
  return true;
}

export async function readEpisodeFile(scope: OfficeScope, objectKey: string): Promise<Buffer> {
  return callStore(scope, async () => {
    const { content } = await scope.providers.storage.get(objectKey);
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(part as Buffer);
    return Buffer.concat(parts);
  });
}

/** Stores a picture of this episode and returns what an answer refers to. */
export async function savePhoto(
  ctx: EpisodeCtx,
  kind: PictureKind,
  { body, length, address }: { body: Readable | undefined; length: number; address: string },
) {
  if (length > photoMaxBytes) throw new Refusal('photo_too_large');
  const network = networkOfAddress(address);
  const memory = openUploadMemory(network);
  try {
    return await readAndStore(ctx, kind, body, { network, memory });
  } finally {
    memory.release();
  }
}

async function readAndStore(
  ctx: EpisodeCtx,
  kind: PictureKind,
  body: Readable | undefined,
  { network, memory }: { network: string; memory: UploadMemory },
) {
  const { episodeId } = ctx;
  await ctx.limits.take(perEpisode, episodeId);
  const since = new Date(ctx.now().getTime() - dayMs);
  const [episode, sent] = await ctx.transaction((tx) =>
    Promise.all([findEpisode(tx, ctx.officeId, episodeId), picturesSince(tx, ctx, since)]),
  );
  if (episode?.state !== 'active') throw new Refusal('episode_not_active');
  if (sent.unused >= mostUnused || sent.bytes >= bytesPerDay) throw new Refusal('too_many_tries', undefined, 3600);
  const refusals = { tooLarge: 'photo_too_large', tooSlow: 'photo_unreadable' } as const;
  const limits = { maxBytes: photoMaxBytes, withinMs: uploadMs, memory, refusals };
  const bytes = body ? await readUpload(body, limits) : Buffer.alloc(0);
  const { readPicture } = await import('#server/kit/picture.ts');
  const picture = await readPicture(bytes, kind, network);
  const stored = await storeEpisodeFile(ctx, { ...picture, episodeId, kind });
  const { id: fileId, contentType, bytes: size } = stored;
  await ctx.transaction((tx) =>
    writeAuditEntry(tx, ctx, { action: 'survey.photo', subject: fileId, details: { kind, bytes: size } }),
  );
  return { fileId, url: fileUrl(fileId), contentType, size, width: picture.width, height: picture.height };
}

/** A stored picture of this episode while its surveys go on. */
export async function readPhoto(ctx: EpisodeCtx, fileId: string): Promise<FileAnswer> {
  const { officeId, episodeId } = ctx;
  const found = await ctx.transaction(async (tx) => {
    const episode = await findEpisode(tx, officeId, episodeId);
    const pictures = episode?.state === 'active' ? await picturesOf(tx, officeId, episodeId) : [];
    const picture = pictures.find(({ id }) => id === fileId);
    if (picture) await auditPatientRead(tx, ctx, { action: 'episode.read-by-patient', subject: episodeId });
    return picture;
  });
  if (!found) throw new Refusal('not_found');
  const { content } = await callStore(ctx, () => ctx.providers.storage.get(found.objectKey));
  const { contentType, bytes } = found;
  const fileName = contentType === 'image/png' ? 'signature.png' : 'photo.jpg';
  return { content, contentType, bytes: bytes ?? undefined, disposition: 'inline', fileName };
}
