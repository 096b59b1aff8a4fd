import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { FileExists, type StoredFile } from './port.ts';
import { S3Refused, type S3Body } from './s3-call.ts';
import type { Bucket } from './s3-calls.ts';
import type { S3Settings } from './s3-settings.ts';

/** Returns a function that stores a file with its metadata, once. It throws `FileExists` if the key is taken. */
export function openWriter(bucket: Bucket, settings: S3Settings): (file: StoredFile, body: S3Body) => Promise<void> {
  /** Some stores do not support If-None-Match; they are asked first instead. */
  let knowsConditions = true;

  return async function write(file, body) {
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
      if (!(error instanceof S3Refused) || error.status !== 501) return checkStored(bucket, error, file.key, put);
    }
    if (await readMetadata(bucket, file.key)) throw new FileExists();
    await ask({}).then(finish, (error: unknown) => checkStored(bucket, error, file.key, put));
    knowsConditions = false;
  };
}

/** After a refusal: an earlier try, or one whose answer was lost, may have stored the file all the same. Throws if not. */
async function checkStored(bucket: Bucket, error: unknown, key: string, put: string): Promise<void> {
  const isTaken = error instanceof S3Refused && error.status === 412;
  if (!isTaken && !(error instanceof S3Refused && error.mayBeDone)) throw error;
  const headers = await readMetadata(bucket, key).catch((unknown: unknown) => {
    throw isTaken ? unknown : error;
  });
  if (headers?.['x-amz-meta-put'] === put) return;
  throw isTaken ? new FileExists() : error;
}

/** The headers stored with a file; null if there is no such file. */
export const readMetadata = (bucket: Bucket, key: string): Promise<IncomingHttpHeaders | null> =>
  bucket.ask({ method: 'HEAD', key }).then(
    ({ headers }) => headers,
    (error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    },
  );

/** The file does not exist; a missing bucket is a different error. */
export const isMissing = (error: unknown) => error instanceof S3Refused && error.code === 'NoSuchKey';

/** Drains the answer, so that the connection can be reused. */
export function finish(answer: IncomingMessage): void {
  answer.on('error', () => undefined).resume();
}

function encryptionOf({ encryption }: S3Settings): Record<string, string> {
  if (!encryption) return {};
  const { algorithm, kmsKey } = encryption;
  return {
    'x-amz-server-side-encryption': algorithm,
    ...(kmsKey && { 'x-amz-server-side-encryption-aws-kms-key-id': kmsKey }),
  };
}
