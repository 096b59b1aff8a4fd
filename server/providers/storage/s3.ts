import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Services } from '#server/context.ts';
import { arrivals, writeCounted } from './incoming-files.ts';
import { FileExists, FileMissing, FileTooLarge, isFileKey, type Storage, type StoredFile } from './port.ts';
import { openBucket, StoreRefused, usualPace, type Content, type Pace } from './s3-calls.ts';
import { contentOf } from './s3-content.ts';
import type { S3Settings } from './s3-settings.ts';

/**
 * Files in a bucket of S3 or of a store that speaks it. What is known of a file travels with it as its metadata, so that it is there
 * whole in one call or not at all. A stream is first gathered below DATA_DIR: its length and its hash are signed with the call.
 */
export function s3Storage(
  { env, now }: Pick<Services, 'env' | 'now'>,
  settings: S3Settings,
  pace: Pace = usualPace,
): Storage {
  const bucket = openBucket(settings, now, pace);
  const arriving = arrivals(join(env.dataDir, 'files', '.arriving'));
  /** Some stores do not know "only if it is not there"; they are asked first instead. */
  let knowsConditions = true;

  const about = (key: string) =>
    bucket.ask({ method: 'HEAD', key }).then(
      ({ headers }) => headers,
      (error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      },
    );

  async function head(key: string): Promise<StoredFile | null> {
    if (!isFileKey(key)) return null;
    const headers = await about(key);
    return headers && fileOf(key, headers);
  }

  async function write(file: StoredFile, body: Content): Promise<void> {
    const put = randomUUID();
    const headers = {
      'content-type': file.contentType,
      'x-amz-meta-put': put,
      'x-amz-meta-sha256': file.sha256,
      'x-amz-meta-stored-at': file.storedAt.toISOString(),
      ...encryptionOf(settings),
    };
    const ask = (condition: Record<string, string>) =>
      bucket.ask({ method: 'PUT', key: file.key, headers: { ...headers, ...condition }, body });
    try {
      if (knowsConditions) return finish(await ask({ 'if-none-match': '*' }));
    } catch (error) {
      if (!(error instanceof StoreRefused) || error.status !== 501) return isThere(error, file.key, put);
    }
    if (await about(file.key)) throw new FileExists();
    await ask({}).then(finish, (error: unknown) => isThere(error, file.key, put));
    knowsConditions = false;
  }

  /** After a no: a try before it, or one whose answer was lost, may have stored the file all the same. Throws when not. */
  async function isThere(error: unknown, key: string, put: string): Promise<void> {
    const isTaken = error instanceof StoreRefused && error.status === 412;
    if (!isTaken && !(error instanceof StoreRefused && error.mayBeDone)) throw error;
    const headers = await about(key).catch((unknown: unknown) => {
      throw isTaken ? unknown : error;
    });
    if (headers?.['x-amz-meta-put'] === put) return;
    throw isTaken ? new FileExists() : error;
  }

  async function gathered(content: Readable, maxBytes: number): Promise<Content & { place: string }> {
    const place = await arriving.place();
    try {
      return { ...(await writeCounted(place, content, maxBytes)), place, open: () => createReadStream(place) };
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
  }

  return {
    name: 's3',
    async put(key, content, { contentType, maxBytes = Infinity }) {
      if (!isFileKey(key)) throw new FileMissing(key);
      const fileOf = ({ bytes, sha256 }: Content) => ({ key, bytes, sha256, contentType, storedAt: now() });
      if (Buffer.isBuffer(content)) {
        if (content.length > maxBytes) throw new FileTooLarge();
        const body = { bytes: content.length, sha256: sha256(content), open: () => content };
        const file = fileOf(body);
        await write(file, body);
        return file;
      }
      const body = await gathered(content, maxBytes);
      try {
        const file = fileOf(body);
        await write(file, body);
        return file;
      } finally {
        await rm(body.place, { force: true });
      }
    },
    async get(key) {
      if (!isFileKey(key)) throw new FileMissing(key);
      const answer = await bucket.ask({ method: 'GET', key }).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(key) : error;
      });
      const file = fileOf(key, answer.headers);
      if (file) return { file, content: contentOf(bucket, file, answer, pace) };
      answer.destroy();
      throw new FileMissing(key);
    },
    head,
    async *list() {
      for await (const key of bucket.list()) if (isFileKey(key)) yield key;
    },
    async delete(key) {
      if (!isFileKey(key)) return;
      await bucket.ask({ method: 'DELETE', key }).then(finish, (error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
  };
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** The file is not there. A bucket that is not there is another matter. */
const isMissing = (error: unknown) => error instanceof StoreRefused && error.code === 'NoSuchKey';

/** The line is free for the next call once the answer has been read. */
function finish(answer: IncomingMessage): void {
  answer.on('error', () => undefined).resume();
}

/** What is known of a file; null of one that nobody put here through this door. */
function fileOf(key: string, headers: IncomingHttpHeaders): StoredFile | null {
  const { 'x-amz-meta-sha256': hash, 'x-amz-meta-stored-at': storedAt } = headers as Record<string, string | undefined>;
  if (!hash || !storedAt) return null;
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  return { key, bytes: Number(headers['content-length']), sha256: hash, contentType, storedAt: new Date(storedAt) };
}

function encryptionOf({ encryption }: S3Settings): Record<string, string> {
  if (!encryption) return {};
  const { algorithm, kmsKey } = encryption;
  return {
    'x-amz-server-side-encryption': algorithm,
    ...(kmsKey && { 'x-amz-server-side-encryption-aws-kms-key-id': kmsKey }),
  };
}
