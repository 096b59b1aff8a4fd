import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBaseBackup } from './base-backup.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'anteroom-base-backup-'));
  postgres = await startEmbeddedPostgres({ dataDir, major: process.env.TEST_POSTGRES === '15' ? 15 : 18 });
});
afterAll(async () => {
  await postgres.release();
  await rm(dataDir, { recursive: true, force: true });
});

async function ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('a base backup streams the whole folder as tar, then its manifest, and leaves no replication slot', async () => {
  const { chunks, estimatedBytes } = await openBaseBackup(postgres.url);
  const archive: Buffer[] = [];
  const manifest: Buffer[] = [];
  for await (const { part, bytes } of chunks) (part === 'archive' ? archive : manifest).push(bytes);
  const { Files } = JSON.parse(Buffer.concat(manifest).toString()) as { Files: { Path: string }[] };
  expect(Files.map(({ Path }) => Path)).toContain('PG_VERSION');
  const bytes = Buffer.concat(archive);
  expect(bytes.length).toBeGreaterThan(estimatedBytes);
  expect(bytes.subarray(-1024).every((byte) => byte === 0)).toBe(true);
  await expect.poll(() => ask('select 1 from pg_replication_slots')).toEqual([]);
});

test('a base backup ends if its reader stops', async () => {
  const { chunks } = await openBaseBackup(postgres.url);
  for await (const _chunk of chunks) break;
  await expect.poll(() => ask('select 1 from pg_stat_progress_basebackup')).toEqual([]);
});

test('a base backup by a login without replication is refused with the reason', async () => {
  await ask("create role plain login password 'plain'");
  const url = Object.assign(new URL(postgres.url), { username: 'plain', password: 'plain' }).toString();
  await expect(openBaseBackup(url)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|28000)$/) as string });
});

test('a base backup ends with an error if the connection is cut', async () => {
  const { chunks } = await openBaseBackup(postgres.url);
  const reading = (async () => {
    for await (const _chunk of chunks) await new Promise((resolve) => setTimeout(resolve, 5));
  })();
  reading.catch(() => undefined);
  await ask("select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'walsender'");
  await expect(reading).rejects.toThrow(/terminat|broke|connection/i);
});
