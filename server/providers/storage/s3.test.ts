import { createHash, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEnv } from '#server/env.ts';
import { openS3Server, type StoredObject, type S3Server, type S3Fault } from '#testing/stand-ins/s3-server.ts';
import { storagePromises } from '#testing/fixtures/storage-promises.ts';
import { FileExists, FileMissing, type Storage } from './port.ts';
import { s3Storage } from './s3.ts';
import { S3Refused } from './s3-call.ts';
import type { Pace } from './s3-calls.ts';
import { readS3, type S3Settings } from './s3-settings.ts';

const pace: Pace = { tries: 3, waitMs: 1, silenceMs: 10_000, giveUpMs: 30_000 };
/** A silent connection must time out soon here; a slow machine must not. */
const paceFor = (trouble: S3Fault) => ({
  ...pace,
  silenceMs: String(trouble).includes('silence') ? 250 : pace.silenceMs,
});
const pdf = { contentType: 'application/pdf' };
const key = '1234567893/2026/03/02/one';
const content = randomBytes(400_000);
let dataDir: string;
let server: S3Server;
let storage: Storage;
const now = () => new Date('2026-03-02T15:00:00.000Z');

function storeOf(given: Partial<S3Settings> = {}, at = now, own = pace): Storage {
  const env = readEnv({ DATA_DIR: dataDir, ...server.env });
  return s3Storage({ env, now: at }, { ...(env.s3 as S3Settings), ...given }, own);
}
const isIn = () => [...server.objects.keys()];
const puts = () => server.calls.filter(({ method }) => method === 'PUT').length;
const refused = (code: string) => expect.objectContaining({ name: 'S3Refused', code }) as unknown;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'anteroom-s3-'));
  server = await openS3Server({ now, pageSize: 3 });
  storage = storeOf();
});
beforeEach(() => server.forget());
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

describe('the port', () => {
  const opened = () => ({
    storage,
    now,
    isAtomic: true,
  });
  test.each(storagePromises)('S3 storage %s', async (_says, holds) => {
    await holds(opened());
    const arriving = await readdir(join(dataDir, 'files/.arriving')).catch(() => []);
    expect(arriving).toEqual([]);
  });
});

describe('signed calls', () => {
  test('each signed call has its length and the hash of its body', async () => {
    await storage.put(key, Readable.from([content]), pdf);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(server.calls[0]?.headers).toMatchObject({
      'content-length': '400000',
      'x-amz-content-sha256': sha256,
      'if-none-match': '*',
      authorization: expect.stringMatching(/SignedHeaders=host;if-none-match;x-amz-content-sha256;/) as unknown,
    });
    expect(server.calls[0]?.headers['transfer-encoding']).toBeUndefined();
  });

  test.each([
    ['a wrong secret', () => storeOf({ secretAccessKey: 'guessed' }), 'SignatureDoesNotMatch'],
    ['a key nobody knows', () => storeOf({ accessKeyId: 'AKIDOTHER' }), 'InvalidAccessKeyId'],
    ['another region', () => storeOf({ region: 'eu-west-1' }), 'AuthorizationHeaderMalformed'],
    ['a clock 16 minutes late', () => storeOf({}, () => new Date(now().getTime() - 960_000)), 'RequestTimeTooSkewed'],
    ['a clock 16 minutes early', () => storeOf({}, () => new Date(now().getTime() + 960_000)), 'RequestTimeTooSkewed'],
    ['a bucket that is not there', () => storeOf({ bucket: 'other-bucket' }), 'NoSuchBucket'],
  ])('%s is refused, called once, and reported by its code', async (_what, open, code) => {
    const stranger = open();
    await expect(stranger.put(key, content, pdf)).rejects.toEqual(refused(code));
    await expect(stranger.get(key)).rejects.toEqual(refused(code));
    expect([isIn(), server.calls.length]).toEqual([[], 2]);
  });

  test('a clock that is 14 minutes off is accepted', async () => {
    await storeOf({}, () => new Date(now().getTime() - 840_000)).put(key, content, pdf);
    expect(isIn()).toEqual([key]);
  });

  test('without a signature nothing can be read or written', async () => {
    await storage.put(key, content, pdf);
    const url = `${server.endpoint}/${server.bucket}/${key}`;
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await fetch(url, { method })).status).toBe(403);
    expect(isIn()).toEqual([key]);
  });
});

describe('a store that refuses halfway', () => {
  const passing: S3Fault[] = [
    { status: 500, code: 'InternalError' },
    { status: 503, code: 'SlowDown' },
    { status: 429, code: 'TooManyRequests' },
    { status: 409, code: 'ConditionalRequestConflict' },
    'cut',
    'cut halfway',
    'cut after',
    'silence',
    'wrong byte',
  ];
  test.each(passing)('an upload after %j is retried and stored once, whole', async (trouble) => {
    server.trouble('PUT', trouble);
    const store = storeOf({}, now, paceFor(trouble));
    const kept = await store.put(key, Readable.from([content]), pdf);
    expect(isIn()).toEqual([key]);
    expect(await storage.head(key)).toEqual(kept);
    expect((await buffer((await storage.get(key)).content)).equals(content)).toBe(true);
    expect(puts()).toBe(2);
  });

  test.each(passing.filter((trouble) => trouble !== 'cut after'))(
    'an upload that always ends in %j is an error and stores nothing',
    async (trouble) => {
      server.trouble('PUT', trouble, trouble, trouble);
      const store = storeOf({}, now, paceFor(trouble));
      await expect(store.put(key, content, pdf)).rejects.toBeInstanceOf(S3Refused);
      expect([isIn(), puts()]).toEqual([[], 3]);
    },
  );

  test('an upload whose answers were all lost counts as stored when the file is there', async () => {
    server.trouble('PUT', 'cut after', 'silence', 'cut');
    await storeOf({}, now, paceFor('silence')).put(key, content, pdf);
    expect([isIn(), puts()]).toEqual([[key], 3]);
  });

  test('a stored upload counts as stored even after a later access error; if it cannot be looked up, its state is unknown', async () => {
    const denied = { status: 403, code: 'AccessDenied' };
    server.trouble('PUT', 'cut after', denied);
    await storage.put(key, content, pdf);
    server.trouble('PUT', 'cut after');
    server.trouble('HEAD', denied);
    await expect(storage.put(`${key}-other`, content, pdf)).rejects.toEqual(refused('AccessDenied'));
    expect(isIn()).toEqual([key, `${key}-other`]);
  });

  test('if the key exists and the answer is lost, the existing file stays', async () => {
    await storage.put(key, Buffer.from('first'), pdf);
    server.trouble('PUT', 'cut');
    await expect(storage.put(key, content, pdf)).rejects.toBeInstanceOf(FileExists);
    expect(server.objects.get(key)?.content.toString()).toBe('first');
  });

  test('a permanent refusal is not retried', async () => {
    server.trouble('PUT', { status: 403, code: 'AccessDenied' });
    server.trouble('GET', { status: 403, code: 'AccessDenied' });
    server.trouble('DELETE', { status: 403, code: 'AccessDenied' });
    await expect(storage.put(key, content, pdf)).rejects.toEqual(refused('AccessDenied'));
    await expect(storage.get(key)).rejects.toEqual(refused('AccessDenied'));
    await expect(storage.delete(key)).rejects.toEqual(refused('AccessDenied'));
    expect(server.calls).toHaveLength(3);
  });

  test.each<S3Fault>([{ status: 500, code: 'InternalError' }, { status: 503, code: 'SlowDown' }, 'cut'])(
    'get, head and delete are retried after %j',
    async (trouble) => {
      const store = storeOf({}, now, paceFor(trouble));
      await store.put(key, content, pdf);
      for (const method of ['GET', 'HEAD', 'DELETE'] as const) server.trouble(method, trouble);
      expect((await buffer((await store.get(key)).content)).equals(content)).toBe(true);
      expect(await store.head(key)).toMatchObject({ bytes: 400_000 });
      await store.delete(key);
      expect(isIn()).toEqual([]);
    },
  );

  test('no call waits longer than its limit', async () => {
    const hasty = s3Storage({ env: readEnv({ DATA_DIR: dataDir }), now }, readS3(server.env) as S3Settings, {
      ...pace,
      tries: 50,
      waitMs: 40,
      giveUpMs: 200,
    });
    server.trouble('GET', ...Array<S3Fault>(50).fill({ status: 503, code: 'SlowDown' }));
    const from = performance.now();
    await expect(hasty.get(key)).rejects.toEqual(refused('SlowDown'));
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});

describe('a line that breaks while a file is read', () => {
  beforeEach(() => storage.put(key, content, pdf).then(() => undefined));

  test.each<S3Fault>(['half an answer', 'half an answer, then silence'])('a read resumes after %s', async (trouble) => {
    server.trouble('GET', trouble, trouble);
    expect((await buffer((await storeOf({}, now, paceFor(trouble)).get(key)).content)).equals(content)).toBe(true);
    const ranges = server.calls.map(({ headers }) => headers.range).filter(Boolean);
    expect(ranges).toEqual(['bytes=200000-', 'bytes=300000-']);
  });

  test('a read that is cut again and again ends with an error, never as complete', async () => {
    server.trouble('GET', ...Array<S3Fault>(9).fill('half an answer'));
    await expect(buffer((await storage.get(key)).content)).rejects.toThrow();
  });

  test('a read ends with an error if another file replaced it in between', async () => {
    server.trouble('GET', 'half an answer');
    const { content: half } = await storage.get(key);
    const other = randomBytes(400_000);
    server.objects.set(key, { ...(server.objects.get(key) as StoredObject), content: other, etag: '"other"' });
    await expect(buffer(half)).rejects.toEqual(refused('PreconditionFailed'));
  });

  test('a slow reader is not cut off', async () => {
    const { content: slow } = await storeOf({}, now, paceFor('silence')).get(key);
    const parts: Buffer[] = [];
    for await (const part of slow) {
      if (parts.length === 1) await new Promise((resolve) => setTimeout(resolve, 400));
      parts.push(part as Buffer);
    }
    expect(Buffer.concat(parts).equals(content)).toBe(true);
    expect(server.calls.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });
});

test('a store without conditional writes is asked first, and an existing file stays', async () => {
  const plain = await openS3Server({ now, knowsConditions: false });
  try {
    const env = readEnv({ DATA_DIR: dataDir, ...plain.env });
    const store = s3Storage({ env, now }, env.s3 as S3Settings, pace);
    await store.put(key, content, pdf);
    await expect(store.put(key, Buffer.from('second'), pdf)).rejects.toBeInstanceOf(FileExists);
    expect(plain.objects.get(key)?.content.equals(content)).toBe(true);
    expect(plain.calls.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'PUT 501',
      'HEAD 404',
      'PUT 200',
      'HEAD 200',
    ]);
  } finally {
    await plain.close();
  }
});

test('every upload adds the prefix to the key and asks the store to encrypt', async () => {
  const store = storeOf({
    prefix: 'anteroom/files/',
    encryption: { algorithm: 'aws:kms', kmsKey: 'arn:aws:kms:key/1' },
  });
  await store.put(key, content, pdf);
  expect(isIn()).toEqual([`anteroom/files/${key}`]);
  expect(server.calls[0]?.headers).toMatchObject({
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'arn:aws:kms:key/1',
  });
  expect((await store.head(key))?.bytes).toBe(content.length);
});

test('a file that somebody else put into the bucket is ignored', async () => {
  server.objects.set(key, { content, headers: { 'content-type': 'text/html' }, etag: '"x"', at: now() });
  expect(await storage.head(key)).toBeNull();
  await expect(storage.get(key)).rejects.toBeInstanceOf(FileMissing);
});

test('virtual addressing puts the bucket into the host name', async () => {
  const { port } = new URL(server.endpoint);
  // No resolver knows s3.test.
  const lookup = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((
      _host: string,
      options: { all?: boolean },
      found: (error: null, address: unknown, family?: number) => void,
    ) => (options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4))) as never);
  try {
    const byHost = storeOf({ endpoint: `http://s3.test:${port}`, addressing: 'virtual' });
    await byHost.put(key, content, pdf);
    expect(await byHost.head(key)).toMatchObject({ key, bytes: content.length });
    expect(server.calls.at(-1)?.headers.host).toBe(`${server.bucket}.s3.test:${port}`);
  } finally {
    lookup.mockRestore();
  }
});
