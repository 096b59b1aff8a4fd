import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findCommand, runStandalone, UsageError } from '#server/kit/command.ts';
import { migrationFiles } from '#server/kit/db/migrate.ts';
import { openStorageOf } from '#server/providers/storage/index.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { freshDatabase } from '#testing/app/test-app.ts';
import { backupName } from './backup-target.ts';
import { backupCommands } from './commands.ts';
import { runStatement } from './run-statement.ts';

const secrets = { SESSION_SECRET: 's'.repeat(40), AUDIT_SECRET: 'a'.repeat(40), WEBHOOK_SECRET: 'w'.repeat(40) };
const commands = backupCommands(openStorageOf);
let database: Awaited<ReturnType<typeof freshDatabase>>;
let folder: string;
let newest: string;

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'anteroom-upgrade-'));
  newest = (await migrationFiles()).at(-1) ?? '';
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const name of await readdir(folder)) await rm(join(folder, name));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `anteroom upgrade` as on a server of its own: exit code, and all that it prints. */
async function upgrade(typed: string[] = ['--backups', folder], url = database.url) {
  const env = {
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '1',
    PUBLIC_URL: 'https://anteroom.test',
    DATA_DIR: folder,
    DATABASE_URL: appUrlOf(url),
    MIGRATE_DATABASE_URL: url,
    ...secrets,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const lines: string[] = [];
  const args = ['upgrade', ...typed];
  const code = await runStandalone(findCommand(commands, args), args, (line) => void lines.push(line));
  return { code, printed: lines.join('\n') };
}

/** Adds a backup's file; only its name is looked at. */
const backupMade = (hoursAgo: number) =>
  writeFile(join(folder, backupName(new Date(Date.now() - hoursAgo * 3_600_000))), '');

/** Runs the work while the database is at another version. */
async function atSchema(statements: [change: string, back: string], work: () => Promise<void>): Promise<void> {
  await runStatement(database.url, statements[0]);
  try {
    await work();
  } finally {
    await runStatement(database.url, statements[1]);
  }
}

test('with the newest schema and a backup of today nothing is left to do, and the steps are printed', async () => {
  await backupMade(30);
  await backupMade(2.5);
  const { code, printed } = await upgrade();
  expect(code).toBe(0);
  expect(printed).toContain(`The database is at ${newest}, the program at ${newest}.`);
  expect(printed).toContain('Nothing is left to migrate.');
  expect(printed).toMatch(/Newest backup in .+Z, 2 hours old\./);
  expect(printed).toContain('1. back up and verify  2. stop all servers');
  expect(printed).not.toContain('Before you upgrade');
});

test('a missing or old backup makes the exit code 1, and the command to make one is printed', async () => {
  const none = await upgrade();
  expect(none.code).toBe(1);
  expect(none.printed).toContain(`There is no backup in ${folder}.`);
  await backupMade(25);
  await writeFile(join(folder, '.anteroom-2099-01-01T000000Z.backup-1f2e3d4c.unfinished'), '');
  const old = await upgrade();
  expect(old.code).toBe(1);
  expect(old.printed).toContain('25 hours old');
  expect(old.printed).toContain('script/anteroom backup DIR, then script/anteroom backup verify FILE');
});

test('without a folder of backups the exit code is 0, and the operator reads how to name one', async () => {
  const { code, printed } = await upgrade([]);
  expect(code).toBe(0);
  expect(printed).toContain('Backups: name their folder with --backups DIR or BACKUP_DIR');
});

test('an older database names the migrations that the next start runs, and runs none of them', async () => {
  await backupMade(1);
  const before = (await migrationFiles()).at(-2) ?? '';
  await atSchema(
    [
      `delete from schema_migration where name = '${newest}'`,
      `insert into schema_migration (name, "timestamp") values ('${newest}', '2026-01-01T00:00:00Z')`,
    ],
    async () => {
      const { code, printed } = await upgrade();
      expect(code).toBe(0);
      expect(printed).toContain(`The database is at ${before}, the program at ${newest}.`);
      expect(printed).toContain(`When the server starts, it migrates: ${newest}.`);
      expect(printed).toContain('There is no way back but a backup.');
      const [row] = await runStatement<{ name: string }>(
        database.url,
        'select max(name) as name from schema_migration',
      );
      expect(row?.name).toBe(before);
    },
  );
});

test('a database that is newer than the program makes the exit code 1', async () => {
  await backupMade(1);
  await atSchema(
    [
      `insert into schema_migration (name, "timestamp") values ('9999_future.sql', '2026-01-01T00:00:00Z')`,
      "delete from schema_migration where name = '9999_future.sql'",
    ],
    async () => {
      const { code, printed } = await upgrade();
      expect(code).toBe(1);
      expect(printed).toContain('The database is NEWER than this program');
    },
  );
});

test('a folder that cannot be read, another database, and a word too many are the operator’s mistakes', async () => {
  await expect(upgrade(['--backups', join(folder, 'nowhere')])).rejects.toThrow(UsageError);
  const empty = Object.assign(new URL(database.url), { pathname: '/postgres' }).toString();
  await expect(upgrade([], empty)).rejects.toThrow(/holds no tables of this program/);
  await expect(upgrade(['now'])).rejects.toThrow(UsageError);
});
