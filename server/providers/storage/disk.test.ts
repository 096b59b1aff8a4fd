import { mkdtemp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';
import { storagePromises, type StoreUnderTest } from '#testing/fixtures/storage-promises.ts';
import { diskStorage } from './disk.ts';
import { FileMissing } from './port.ts';

let dataDir: string;
let store: StoreUnderTest;
const now = () => new Date('2026-03-02T15:00:00.000Z');
const pdf = { contentType: 'application/pdf' };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'anteroom-files-'));
  const env = readEnv({ DATA_DIR: dataDir });
  await mkdir(join(dataDir, 'files/.arriving'), { recursive: true });
  await writeFile(join(dataDir, 'files/.arriving/left'), 'by a crash');
  await utimes(join(dataDir, 'files/.arriving/left'), 0, 0);
  const storage = diskStorage({ env, now });
  store = {
    storage,
    now,
    isAtomic: true,
  };
});
afterAll(async () => {
  await rm(dataDir, { recursive: true });
});

test.each(storagePromises)('disk storage %s', async (_says, holds) => {
  await holds(store);
  expect(await readdir(join(dataDir, 'files/.arriving'))).toEqual([]);
});

test('disk storage does not list a file whose writing was cut short', async () => {
  const key = '1234567893/2026/03/02/cut-short';
  await store.storage.put(key, Buffer.from('whole'), pdf);
  await rm(join(dataDir, 'files', `${key}.file.json`));
  expect(await store.storage.head(key)).toBeNull();
  await expect(store.storage.get(key)).rejects.toBeInstanceOf(FileMissing);
});
