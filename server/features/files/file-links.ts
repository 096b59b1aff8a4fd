import type { OperationNodeSource } from 'kysely';
import type { FormUrl } from '#contract/forms/shapes.ts';
import type { Services, OfficeScope } from '#server/context.ts';
import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { FileMissing } from '#server/providers/storage/port.ts';
import { callStore } from './ask-store.ts';
import { deleteLinks, findOpenLink, insertLinkStatement } from './sql.ts';

export const linksPath = '/files/';
const lastsMs = 120_000;
/** Two uuids and half a SHA-256, in base64url. */
const linkPattern = /^[\w-]{64}$/;

interface LinkOptions {
  disposition?: 'inline' | 'attachment' | undefined;
  /** The share it was opened through: the link ends with it. */
  shareId?: string;
}

/**
 * A link that shows or saves one file, for two minutes. It contains neither key nor name, because URLs end up in the browser's history and
 * in proxy logs.
 */
export async function linkToFile(
  scope: OfficeScope,
  objectKey: string,
  fileName: string,
  { disposition = 'inline', shareId }: LinkOptions = {},
): Promise<FormUrl> {
  await callStore(scope, async () => {
    if (!(await scope.providers.storage.head(objectKey))) throw new FileMissing(objectKey);
  });
  const expiresAt = new Date(scope.now().getTime() + lastsMs);
  const link = newLink(scope, { objectKey, fileName, disposition, shareId, expiresAt });
  await scope.transaction((tx) => insertLinkStatement(tx, link.row).execute());
  return { url: link.path, fileName, expiresAt: link.row.expiresAt.toISOString() };
}

/**
 * The statement of a link in a text, and its URL: it works longer, and for one browser only (`texted-link.ts`). The file must be in the store.
 */
export function fileLinkStatement(
  tx: Tx,
  scope: OfficeScope,
  link: { objectKey: string; fileName: string; expiresAt: Date },
): { url: string; statement: OperationNodeSource } {
  const { path, row } = newLink(scope, { ...link, disposition: 'inline', texted: true });
  return { url: `${scope.env.publicUrl}${path}`, statement: insertLinkStatement(tx, row) };
}

interface NewLink extends LinkOptions {
  objectKey: string;
  fileName: string;
  expiresAt: Date;
  texted?: boolean;
}

function newLink(scope: OfficeScope, link: NewLink) {
  const { objectKey, fileName, disposition = 'inline', shareId, expiresAt, texted = false } = link;
  const { officeId } = scope;
  const id = scope.id();
  const createdAt = scope.now();
  return {
    path: `${linksPath}${signedLink(scope.env, officeId, id)}`,
    row: { officeId, id, objectKey, fileName, disposition, shareId: shareId ?? null, createdAt, expiresAt, texted },
  };
}

/** Office and row, signed: access to the database alone makes no valid link, and the row is found without searching all offices. */
function signedLink(env: Services['env'], officeId: string, id: string): string {
  return Buffer.concat([bytesOf(officeId), bytesOf(id), macOf(env, officeId, id)]).toString('base64url');
}

/** The office and row of a link; null if we did not sign it. */
export function readLink(env: Services['env'], link: string): { officeId: string; id: string } | null {
  if (!linkPattern.test(link)) return null;
  const bytes = Buffer.from(link, 'base64url');
  const [officeId, id] = [uuidOf(bytes.subarray(0, 16)), uuidOf(bytes.subarray(16, 32))];
  return sameBytes(bytes.subarray(32), macOf(env, officeId, id)) ? { officeId, id } : null;
}

const macOf = (env: Services['env'], officeId: string, id: string) =>
  keyedHash(env.secrets.session, 'file-link', officeId, id).subarray(0, 16);
const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The file of a link, if neither the link nor its share has ended. */
export function openLink(scope: OfficeScope, id: string) {
  return scope.transaction((tx) => findOpenLink(tx, scope.officeId, id, scope.now()));
}

/** Deletes expired links. */
export async function deleteExpiredLinks(scope: OfficeScope): Promise<void> {
  await scope.transaction((tx) => deleteLinks(tx, scope.officeId, scope.now()));
}
