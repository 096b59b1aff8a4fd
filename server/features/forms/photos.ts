import type { Readable } from 'node:stream';
import { photoMaxBytes } from '#contract/forms/filling.ts';
import type { VisitCtx } from '#server/context.ts';
import { entryOwnerFor } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { readUpload } from '#server/kit/http/read-upload.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openUploadMemory, type UploadMemory } from '#server/kit/http/upload-memory.ts';
import type { PictureKind } from '#server/kit/picture.ts';
import { fileUrl } from './file-url.ts';
import { findPicture } from './file-sql.ts';
import { storeFormFile, openFormFile } from './files.ts';
import type { VisitScope } from './member-form.ts';

/** Enough for a family of twelve with every card photographed twice. */
const perVisit = { name: 'form-photos', points: 150, seconds: 3600 };
/** A phone with a weak signal takes a while; no upload may hold a connection for longer. */
const uploadMs = 180_000;

/** Stores a picture of this visit and returns what a form's answer refers to. */
export async function savePhoto(
  ctx: VisitScope,
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
  ctx: VisitScope,
  kind: PictureKind,
  body: Readable | undefined,
  { network, memory }: { network: string; memory: UploadMemory },
) {
  await ctx.limits.take(perVisit, ctx.visitId);
  await ctx.transaction((tx) => entryOwnerFor(tx, ctx));
  const refusals = { tooLarge: 'photo_too_large', tooSlow: 'photo_unreadable' } as const;
  const limits = { maxBytes: photoMaxBytes, withinMs: uploadMs, memory, refusals };
  const bytes = body ? await readUpload(body, limits) : Buffer.alloc(0);
  const { readPicture } = await import('#server/kit/picture.ts');
  const picture = await readPicture(bytes, kind, network);
  const storedFile = await storeFormFile(ctx, { ...picture, visitId: ctx.visitId, tokenId: ctx.tokenId, kind });
  await ctx.transaction((tx) =>
    writeAuditEntry(tx, ctx, {
      action: 'form.photo',
      subject: storedFile.id,
      details: { kind, bytes: storedFile.bytes },
    }),
  );
  return {
    fileId: storedFile.id,
    url: fileUrl(storedFile.id),
    contentType: storedFile.contentType,
    size: storedFile.bytes,
    width: picture.width,
    height: picture.height,
  };
}

/** A stored picture of this visit. */
export async function readPhoto(ctx: VisitCtx, fileId: string): Promise<FileAnswer> {
  const found = await ctx.transaction(async (tx) => {
    const own = await entryOwnerFor(tx, ctx);
    return findPicture(tx, ctx.officeId, ctx.visitId, fileId, own);
  });
  if (!found) throw new Refusal('not_found');
  const { content } = await openFormFile(ctx, found.objectKey);
  const fileName = found.contentType === 'image/png' ? 'signature.png' : 'photo.jpg';
  const { contentType, bytes } = found;
  return { content, contentType, bytes: bytes ?? undefined, disposition: 'inline', fileName };
}
