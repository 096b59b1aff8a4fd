import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findCommand, runStandalone } from '#server/kit/command.ts';
import { openStorageOf } from '#server/providers/storage/index.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { freshDatabase, openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { backupCommands } from './commands.ts';

let folder: string;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let t: TestApp | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-settle-'));
  database = await freshDatabase();
  t = await openTestApp({ url: database.url });
});
afterAll(async () => {
  await t?.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

async function settle(): Promise<string> {
  const secret = 's'.repeat(40);
  const env = {
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '1',
    DATABASE_URL: appUrlOf(database.url),
    MIGRATE_DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    SESSION_SECRET: secret,
    AUDIT_SECRET: secret,
    WEBHOOK_SECRET: secret,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const lines: string[] = [];
  const command = findCommand(backupCommands(openStorageOf), ['restore', 'settle']);
  expect(await runStandalone(command, ['restore', 'settle'], (line) => void lines.push(line))).toBe(0);
  return lines.join('\n');
}

async function read<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client
    .query<Row>(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}
const version = async () =>
  (await read<{ version: string }>('select max(version) as version from queue_version'))[0]?.version;

test('restore settle refuses while a server is connected, and afterwards nothing from the past is sent or shown again', async () => {
  if (!t) throw new Error('no test app');
  await t.visit({ moves: ['invite'] });
  await t.signIn(t.maple.personId);
  const before = Number(await version());
  await expect(settle()).rejects.toThrow('A server is connected');
  expect(await read("select 1 from text where state = 'held'")).toEqual([]);
  await t.close();
  t = undefined;

  const said = await settle();
  expect(said).toMatch(/\d+ sessions? ended/);
  expect(said).toContain('waiting texts are held');
  expect(await read('select 1 from auth.session where ended_at is null')).toEqual([]);
  expect(await read("select 1 from text where state in ('queued', 'sending')")).toEqual([]);
  expect(Number(await version())).toBe(before + 1_000_000);
  const offices = await read<{ id: string }>('select id from office');
  const entries = await read<{ at: Date; backup_of: string }>(
    "select at, details ->> 'backupOf' as backup_of from audit_entry where action = 'system.restore'",
  );
  expect(entries).toHaveLength(offices.length);
  for (const { at, backup_of } of entries) expect(new Date(backup_of).getTime()).toBeLessThan(at.getTime());
});

test('restore settle holds the texts before it ends the sessions, and fails if a server started meanwhile', async () => {
  await read("update text set state = 'queued' where state = 'held'");
  const locking = new pg.Client({ connectionString: database.url });
  const server = new pg.Client({ connectionString: appUrlOf(database.url) });
  await locking.connect();
  try {
    await locking.query('begin');
    await locking.query('lock table auth.session in share mode');
    const settled = settle().catch((error: Error) => error);
    await expect
      .poll(
        () =>
          read(
            "select 1 from pg_stat_activity where datname = current_database() and query like 'update auth.session%' and wait_event_type = 'Lock'",
          ),
        {
          timeout: 20_000,
        },
      )
      .toHaveLength(1);
    expect(await read("select 1 from text where state = 'queued'")).toEqual([]);
    expect(await read("select 1 from text where state = 'held'")).not.toEqual([]);
    await server.connect();
    await locking.query('rollback');
    expect(String(await settled)).toContain('A server connected to this database meanwhile');
  } finally {
    await locking.end();
    await server.end().catch(() => undefined);
  }
  await settle();
});
