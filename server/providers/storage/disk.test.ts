import { mkdtemp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fastify from 'fastify';
import type { House } from '#server/ctx.ts';
import { readEnv } from '#server/env.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { storagePromises, type StoreAtHand } from '#testing/storage-promises.ts';
import { diskRoutes } from './disk-links.ts';
import { diskStorage } from './disk.ts';
import { FileMissing } from './port.ts';

let dataDir: string;
let store: StoreAtHand;
let clock = new Date('2026-03-02T15:00:00.000Z');
const now = () => clock;
const app = fastify();
const pdf = { contentType: 'application/pdf' };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'anteroom-files-'));
  const env = readEnv({ DATA_DIR: dataDir });
  await mkdir(join(dataDir, 'files/.arriving'), { recursive: true });
  await writeFile(join(dataDir, 'files/.arriving/left'), 'by a crash');
  await utimes(join(dataDir, 'files/.arriving/left'), 0, 0);
  const storage = diskStorage({ env, now });
  app.decorate('house', { env, now, providers: { storage } } as unknown as House);
  app.setErrorHandler((error, _req, reply) => reply.code(error instanceof Refusal ? error.status : 500).send());
  diskRoutes(app);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  store = {
    storage,
    now,
    isAtomic: true,
    pass: async (seconds) => void (clock = new Date(clock.getTime() + seconds * 1000)),
    open: (link, method = 'GET') => fetch(url + link, { method }),
  };
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true });
});

test.each(storagePromises)('%s', async (_says, holds) => {
  await holds(store);
  expect(await readdir(join(dataDir, 'files/.arriving'))).toEqual([]);
});

test('a file whose writing was cut short is not there', async () => {
  const key = '1234567893/2026/03/02/cut-short';
  await store.storage.put(key, Buffer.from('whole'), pdf);
  await rm(join(dataDir, 'files', `${key}.file.json`));
  expect(await store.storage.head(key)).toBeNull();
  await expect(store.storage.get(key)).rejects.toBeInstanceOf(FileMissing);
});
