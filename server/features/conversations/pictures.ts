import type { Readable } from 'node:stream';
import type { FormUrl } from '#contract/forms/shapes.ts';
import type { OfficeCtx, OfficeScope, VisitCtx, VisitorCtx } from '#server/context.ts';
import { callStore, linkToFile } from '#server/features/files/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { networkBudgets, takeInTransaction, type Budget, type Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import type { Picture } from '#server/kit/picture.ts';
import { auditVisitorRead } from './audit-visitor-read.ts';
import { officeRow } from '#server/office-row.ts';
import { newFileKey } from '#server/providers/storage/port.ts';
import {
  bytesSince,
  deletePictureRow,
  findPicture,
  findVisitPicture,
  insertPicture,
  setPictureStored,
  type PictureSenders,
} from './pictures-sql.ts';

const dayMs = 86_400_000;
/** Five a minute for two hours; nobody attaches pictures faster for longer. */
const perOffice = { name: 'message-pictures', points: 300, seconds: 3600 } as const satisfies Limit;
const perConversation = { name: 'message-pictures-conversation', points: 30, seconds: 3600 } as const satisfies Limit;
/** The same for pictures that come by text, so that senders never use up what the desk may send. */
const incomingPerOffice = { ...perOffice, name: 'incoming-pictures' } as const satisfies Limit;
const incomingPerConversation = { ...perConversation, name: 'incoming-pictures-conversation' } as const satisfies Limit;
/** Pictures of one practice as they are stored, in a day; those that come by text stop at half of it, a website's at a fifth. */
const bytesPerDay = 500_000_000;

export interface StoredPicture {
  id: string;
  objectKey: string;
}

/** Counts a picture against the limits of its conversation and its practice. */
export async function limitPictures(scope: OfficeScope, conversationId: string): Promise<void> {
  await takePictures(scope, [
    [perConversation, `${scope.officeId} ${conversationId}`],
    [perOffice, scope.officeId],
  ]);
  await refuseAfterBytes(scope, bytesPerDay, 'all');
}

/** Counts a picture that came by text against the limit of its sender. */
export const limitIncomingPictures = (scope: OfficeScope, conversationId: string) =>
  takePictures(scope, [[incomingPerConversation, `${scope.officeId} ${conversationId}`]]);

/** The same against the limits of its practice, which other senders may have used up: null, or after how many seconds it may be tried again. */
export async function incomingPictureWaits(scope: OfficeScope): Promise<number | null> {
  try {
    await takePictures(scope, [[incomingPerOffice, scope.officeId]]);
    await refuseAfterBytes(scope, bytesPerDay / 2, 'outside-website');
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many_pictures') return error.retryAfterSeconds ?? 3600;
    throw error;
  }
}

/** Refuses if the website's visitors have stored their share of the day, whatever others have stored. */
export const limitWebsiteBytes = (scope: OfficeScope) => refuseAfterBytes(scope, bytesPerDay / 5, 'visitors');

/** Of a website's visitors in a day. Without them, one address stores the website's share of the day with its pictures. */
const visitorKilobytes = {
  perConversation: { name: 'chat-picture-kilobytes', points: 15_000, seconds: 86_400 },
  perNetwork: { name: 'chat-picture-kilobytes-network', points: 30_000, seconds: 86_400 },
} as const satisfies Record<string, Limit>;
const networksPerSite = 2;

interface VisitorPicture {
  conversationId: string;
  network: string;
  bytes: number;
}

/** Counts the bytes of a visitor's picture as it will be stored. A refused one counts nothing, and of those sent at once one waits for the other. */
export async function limitVisitorBytes(
  scope: OfficeScope,
  { conversationId, network, bytes }: VisitorPicture,
): Promise<void> {
  const { perConversation, perNetwork } = visitorKilobytes;
  const owners: Budget[] = [[perConversation, conversationId], ...networkBudgets(perNetwork, network, networksPerSite)];
  const kilobytes = Math.ceil(bytes / 1000);
  const budgets = owners.map(([limit, key]) => [limit, `${scope.officeId} ${key}`, kilobytes] as const);
  await scope.transaction(async (tx) => {
    const [usedUp] = await takeInTransaction(tx, scope.now(), budgets);
    if (usedUp) throw new Refusal('too_many_pictures', undefined, usedUp.seconds);
  });
}

async function takePictures(scope: OfficeScope, budgets: readonly Budget[]): Promise<void> {
  await scope.limits.takeEach(budgets).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'too_many_tries')
      throw new Refusal('too_many_pictures', undefined, error.retryAfterSeconds);
    throw error;
  });
}

async function refuseAfterBytes(scope: OfficeScope, most: number, senders: PictureSenders): Promise<void> {
  const since = new Date(scope.now().getTime() - dayMs);
  const bytes = await scope.transaction((tx) => bytesSince(tx, scope.officeId, { since, senders }));
  if (bytes >= most) throw new Refusal('too_many_pictures', undefined, 3600);
}

/** Decodes and re-encodes a picture: upright, without metadata, at most 2,400 pixels wide and high. */
export async function judgePicture(content: Buffer, network: string): Promise<Picture> {
  const { readPicture } = await import('#server/kit/picture.ts');
  return readPicture(content, 'photo', network, ['image/png', 'image/jpeg']).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'photo_too_large') throw new Refusal('picture_too_large');
    if (error.code === 'photo_unreadable' || error.code === 'photo_heic') throw new Refusal('picture_unreadable');
    throw error;
  });
}

/**
 * Stores a picture for a conversation, outside of any transaction. The row is written first, so that a file left by a crash is found and
 * deleted. Throws files_away if the store fails; then nothing is left.
 */
export async function storePicture(
  scope: OfficeScope,
  conversationId: string,
  { content, contentType, width, height }: Picture,
): Promise<StoredPicture> {
  const { officeId } = scope;
  const id = scope.id();
  const createdAt = scope.now();
  const objectKey = await scope.transaction(async (tx) => {
    const key = newFileKey(scope, (await officeRow(tx, officeId)).npi);
    await insertPicture(tx, { officeId, id, conversationId, objectKey: key, contentType, width, height, createdAt });
    return key;
  });
  const { bytes, sha256 } = await callStore(scope, () =>
    scope.providers.storage.put(objectKey, content, { contentType }),
  ).catch(async (error: unknown) => {
    await deletePicture(scope, { id, objectKey });
    throw error;
  });
  await scope.transaction((tx) => setPictureStored(tx, officeId, id, { bytes, sha256, storedAt: scope.now() }));
  return { id, objectKey };
}

/** Deletes a picture that no message shows. The row goes last, so that the job retries what could not be deleted now. */
export async function deletePicture(scope: OfficeScope, { id, objectKey }: StoredPicture): Promise<void> {
  try {
    await scope.providers.storage.delete(objectKey);
  } catch (error) {
    scope.log.warn({ err: error, file: id }, 'a picture that no message shows could not be deleted yet');
    return;
  }
  await scope.transaction((tx) => deletePictureRow(tx, scope.officeId, id));
}

interface PictureId {
  id: string;
  attachmentId: string;
}

/** A URL of a conversation's picture, for two minutes. */
export async function linkToPicture(ctx: OfficeCtx, named: PictureId): Promise<FormUrl> {
  const { objectKey } = await disclosePicture(ctx, named);
  return linkToFile(ctx, objectKey, pictureName);
}

/** The same for the patient whose visit shows the picture. Only a link that was texted shows what the practice and its patient wrote. */
export async function linkToVisitPicture(ctx: VisitCtx, fileId: string): Promise<FormUrl> {
  if (!ctx.proved) throw new Refusal('link_not_proved');
  const { objectKey } = await ctx.transaction(async (tx) => {
    const found = await findVisitPicture(tx, ctx.officeId, { visitId: ctx.visitId, fileId });
    if (!found) throw new Refusal('picture_not_found');
    await writeAuditEntry(tx, ctx, { action: 'visit.read-by-patient', subject: ctx.visitId });
    return found;
  });
  return linkToFile(ctx, objectKey, pictureName);
}

/** A page asks for a link for each picture that it shows. */
const visitorLinks = { name: 'chat-picture-links', points: 600, seconds: 3600 } as const satisfies Limit;

/** The same for the website visitor whose conversation shows the picture. */
export async function linkToVisitorPicture(ctx: VisitorCtx, fileId: string): Promise<FormUrl> {
  const { officeId, visitorId, conversationId } = ctx;
  await ctx.limits.take(visitorLinks, `${officeId} ${visitorId}`);
  const { objectKey } = await ctx.transaction(async (tx) => {
    const found = await findPicture(tx, officeId, { conversationId, fileId });
    if (!found) throw new Refusal('picture_not_found');
    return found;
  });
  await auditVisitorRead(ctx);
  return linkToFile(ctx, objectKey, pictureName);
}

/** A conversation's picture itself. */
export async function readAttachment(ctx: OfficeCtx, named: PictureId): Promise<FileAnswer> {
  const { objectKey, contentType, bytes } = await disclosePicture(ctx, named);
  const content: Readable = (await callStore(ctx, () => ctx.providers.storage.get(objectKey))).content;
  return { content, contentType, bytes: bytes ?? undefined, disposition: 'inline', fileName: pictureName };
}

/** Names nobody: it is in the browser's downloads. */
export const pictureName = 'picture.jpg';

async function disclosePicture(ctx: OfficeCtx, { id, attachmentId }: PictureId) {
  return ctx.transaction(async (tx) => {
    const found = await findPicture(tx, ctx.officeId, { conversationId: id, fileId: attachmentId });
    if (!found) throw new Refusal('conversation_not_found');
    await writeAuditEntry(tx, ctx, { action: 'conversation.read', subject: id });
    return found;
  });
}
