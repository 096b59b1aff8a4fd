import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';
import { diskStorage } from './disk.ts';
import { FileExists, FileMissing, FileTooLarge, isFileKey, newFileKey, type Storage } from './port.ts';

let dataDir: string;
let storage: Storage;
const now = () => new Date('2026-03-02T15:00:00.000Z');
let ids = 0;
const key = () => newFileKey({ now, id: () => `id-${++ids}` }, '1234567893');
const pdf = { contentType: 'application/pdf' };
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'anteroom-files-'));
  storage = diskStorage({ env: readEnv({ DATA_DIR: dataDir }), now });
});
afterAll(() => rm(dataDir, { recursive: true }));

test('a file comes back as it was put, with its size, hash and type', async () => {
  const content = randomBytes(300_000);
  const at = key();
  expect(at).toMatch(/^1234567893\/2026\/03\/02\/id-\d+$/);
  const kept = await storage.put(at, content, pdf);
  expect(kept).toEqual({ key: at, bytes: 300_000, sha256: sha256(content), ...pdf, storedAt: now() });
  expect(await storage.head(at)).toEqual(kept);
  const read = await storage.get(at);
  expect([read.file, await buffer(read.content)]).toEqual([kept, content]);
});

test('a stream is put piece by piece; one that breaks or is too large leaves nothing', async () => {
  const pieces = Array.from({ length: 50 }, () => randomBytes(10_000));
  const whole = Buffer.concat(pieces);
  expect((await storage.put(key(), Readable.from(pieces), pdf)).sha256).toBe(sha256(whole));
  const large = key();
  const tooMuch = storage.put(large, Readable.from(pieces), { ...pdf, maxBytes: 100_000 });
  await expect(tooMuch).rejects.toBeInstanceOf(FileTooLarge);
  const broken = key();
  const breaks = async function* () {
    yield pieces[0];
    throw new Error('cut');
  };
  await expect(storage.put(broken, Readable.from(breaks()), pdf)).rejects.toThrow('cut');
  expect([await storage.head(large), await storage.head(broken)]).toEqual([null, null]);
  expect(await readdir(join(dataDir, 'files/.arriving'))).toEqual([]);
});

test('a key is written once: of twenty at the same moment one wins, and it is whole', async () => {
  const at = key();
  const contents = Array.from({ length: 20 }, () => randomBytes(50_000));
  const puts = await Promise.allSettled(contents.map((content) => storage.put(at, content, pdf)));
  const won = puts.findIndex(({ status }) => status === 'fulfilled');
  const lost = puts.filter((put) => put.status === 'rejected' && put.reason instanceof FileExists);
  expect(lost).toHaveLength(19);
  const { file, content } = await storage.get(at);
  expect([file.sha256, await buffer(content)]).toEqual([sha256(contents[won] ?? Buffer.alloc(0)), contents[won]]);
});

test('a file whose writing was cut short is not there', async () => {
  const at = key();
  await storage.put(at, Buffer.from('whole'), pdf);
  await rm(join(dataDir, 'files', `${at}.file.json`));
  expect(await storage.head(at)).toBeNull();
  await expect(storage.get(at)).rejects.toBeInstanceOf(FileMissing);
});

test('what is deleted is gone; deleting it again is no error', async () => {
  const at = key();
  await storage.put(at, Buffer.from('x'), pdf);
  await storage.delete(at);
  await storage.delete(at);
  expect(await storage.head(at)).toBeNull();
  await expect(storage.link(at, { seconds: 60, disposition: 'inline', fileName: 'x' })).rejects.toBeInstanceOf(
    FileMissing,
  );
});

test.each([
  '../secrets/session',
  'a/../../b',
  '/etc/passwd',
  'a//b',
  'a/.hidden',
  'a\\b',
  'a\0b',
  '',
  'a/',
  'é',
  'x'.repeat(300),
])('a key like %j leads nowhere', async (bad) => {
  await writeFile(join(dataDir, 'outside'), 'secret').catch(() => undefined);
  expect(isFileKey(bad)).toBe(false);
  expect(await storage.head(bad)).toBeNull();
  await expect(storage.get(bad)).rejects.toBeInstanceOf(FileMissing);
  await expect(storage.put(bad, Buffer.from('x'), pdf)).rejects.toBeInstanceOf(FileMissing);
  await storage.delete(bad);
});

test('a link never lasts longer than five minutes', async () => {
  const at = key();
  await storage.put(at, Buffer.from('x'), pdf);
  const { expiresAt } = await storage.link(at, { seconds: 9_999, disposition: 'inline', fileName: 'x.pdf' });
  expect(expiresAt.getTime() - now().getTime()).toBe(300_000);
});
