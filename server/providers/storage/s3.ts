import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Services } from '#server/context.ts';
import { openIncomingFolder, writeAndHash } from './incoming-files.ts';
import { FileMissing, FileTooLarge, isFileKey, type Storage, type StoredFile } from './port.ts';
import type { S3Body } from './s3-call.ts';
import { openBucket, usualPace, type Pace } from './s3-calls.ts';
import { contentOf } from './s3-content.ts';
import type { S3Settings } from './s3-settings.ts';
import { finish, isMissing, openWriter, readMetadata } from './s3-write.ts';

/**
 * Files in a bucket of S3 or a compatible store. A file's metadata is stored with it, so that a single call writes everything or nothing. A
 * stream is buffered below DATA_DIR first, because its length and hash are signed with the call.
 */
export function s3Storage(
  { env, now }: Pick<Services, 'env' | 'now'>,
  settings: S3Settings,
  pace: Pace = usualPace,
): Storage {
  const bucket = openBucket(settings, now, pace);
  const arriving = openIncomingFolder(join(env.dataDir, 'files', '.arriving'));
  const write = openWriter(bucket, settings);

  async function head(key: string): Promise<StoredFile | null> {
    if (!isFileKey(key)) return null;
    const headers = await readMetadata(bucket, key);
    return headers && fileOf(key, headers);
  }

  async function gatherContent(content: Readable, maxBytes: number): Promise<S3Body & { place: string }> {
    const place = await arriving.place();
    try {
      return { ...(await writeAndHash(place, content, maxBytes)), place, open: () => createReadStream(place) };
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
  }

  return {
    name: 's3',
    async put(key, content, { contentType, maxBytes = Infinity }) {
      if (!isFileKey(key)) throw new FileMissing(key);
      const fileOf = ({ bytes, sha256 }: S3Body) => ({ key, bytes, sha256, contentType, storedAt: now() });
      if (Buffer.isBuffer(content)) {
        if (content.length > maxBytes) throw new FileTooLarge();
        const body = { bytes: content.length, sha256: sha256(content), open: () => content };
        const file = fileOf(body);
        await write(file, body);
        return file;
      }
      const body = await gatherContent(content, maxBytes);
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

/** A file's metadata; null if this program did not store it. */
function fileOf(key: string, headers: IncomingHttpHeaders): StoredFile | null {
  const { 'x-amz-meta-sha256': hash, 'x-amz-meta-stored-at': storedAt } = headers as Record<string, string | undefined>;
  if (!hash || !storedAt) return null;
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  return { key, bytes: Number(headers['content-length']), sha256: hash, contentType, storedAt: new Date(storedAt) };
}
