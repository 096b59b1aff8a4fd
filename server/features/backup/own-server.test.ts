import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { chainAllOffices } from '#server/features/audit/chain-entries.ts';
import { verifyOffice } from '#server/features/audit/verify-chain.ts';
import { findCommand, runStandalone } from '#server/kit/command.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { openStorageOf } from '#server/providers/storage/index.ts';
import { newFileKey, type Storage } from '#server/providers/storage/port.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { openS3Server, type S3Server } from '#testing/stand-ins/s3-server.ts';
import { differences, hashTables } from '#testing/fixtures/table-hashes.ts';
import { readArchive, writeArchive } from './archive.ts';
import { backupCommands } from './commands.ts';
import { newKeyPair, openLock } from './encryption.ts';

const serverMajor = 15;
const dumpVersion = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '';
const hasDump = Number(/\b(\d+)\./.exec(dumpVersion)?.[1]) >= serverMajor;

const secrets = { SESSION_SECRET: 's'.repeat(40), AUDIT_SECRET: 'a'.repeat(40), WEBHOOK_SECRET: 'w'.repeat(40) };
const commands = backupCommands(openStorageOf);

/** A PostgreSQL server with the roles from docs/operating.md, and the files in a bucket. */
describe.skipIf(!hasDump)(
  `DATABASE_URL and S3_BUCKET (needs pg_dump ${serverMajor}: apt-get install postgresql-client)`,
  () => {
    let folder: string;
    let keys: Awaited<ReturnType<typeof newKeyPair>>;
    let postgres: EmbeddedPostgres;
    let bucket: S3Server;
    let t: TestApp;
    let source: { DATABASE_URL: string; MIGRATE_DATABASE_URL: string };
    let storage: Storage;
    let storedKeys: string[];
    let signer = '';

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'anteroom-own-server-'));
      postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'server'), major: serverMajor });
      keys = await newKeyPair();
      await writeFile(join(folder, 'key'), keys.identity);
      bucket = await openS3Server({ pageSize: 3 });
      await asAdmin(`create role anteroom_owner login password 'owner' bypassrls`);
      await asAdmin('create role anteroom_door nologin noinherit nobypassrls');
      await asAdmin('alter role anteroom_app set plan_cache_mode = force_generic_plan');
      await asAdmin('grant anteroom_door to anteroom_owner');
      source = await newDatabase('source');
      await migrate(source.MIGRATE_DATABASE_URL, source.DATABASE_URL);
      t = await openTestApp({
        url: source.MIGRATE_DATABASE_URL,
        appUrl: source.DATABASE_URL,
        env: { ...secrets, ...bucket.env, DATA_DIR: join(folder, 'data') },
      });
      await t.visit({ moves: ['invite'] });
      await t.visit({ office: t.other });
      await chainAllOffices(t.services);
      // The real clock: the bucket refuses calls signed at another time.
      storage = openStorageOf(t.env.dataDir, bucket.env);
      storedKeys = Array.from({ length: 7 }, () => newFileKey(t.services, t.maple.npi));
      for (const [i, key] of storedKeys.entries())
        await storage.put(key, randomBytes(1 + i * 9_000), { contentType: 'image/png' });
    });
    afterEach(() => vi.unstubAllEnvs());
    afterAll(async () => {
      await t?.close();
      await bucket?.close();
      await postgres?.release();
      await rm(folder, { recursive: true, force: true });
    });

    async function asAdmin(statement: string, url = postgres.url): Promise<void> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    }

    /** An environment with an empty database of the owner's. */
    async function newDatabase(name: string) {
      await asAdmin(`create database ${name} owner anteroom_owner`);
      const at = (login: object) =>
        Object.assign(new URL(postgres.appUrl), { pathname: `/${name}`, ...login }).toString();
      return { DATABASE_URL: at({}), MIGRATE_DATABASE_URL: at({ username: 'anteroom_owner', password: 'owner' }) };
    }

    async function anteroom(env: Record<string, string>, ...typed: string[]) {
      const given = {
        NODE_ENV: 'production',
        LOCAL_PROVIDERS: '1',
        BACKUP_RECIPIENT: keys.recipient,
        BACKUP_KEY_FILE: join(folder, 'key'),
        BACKUP_SIGNER: signer,
        ...secrets,
        ...bucket.env,
        ...env,
      };
      for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
      const lines: string[] = [];
      const code = await runStandalone(findCommand(commands, typed), typed, (line) => void lines.push(line));
      return { code, said: lines.join('\n') };
    }

    async function backUp(env: Record<string, string> = {}): Promise<string> {
      const into = await mkdtemp(join(folder, 'backups-'));
      const { code, said } = await anteroom({ ...source, DATA_DIR: t.env.dataDir, ...env }, 'backup', into, '--quiet');
      expect(code).toBe(0);
      signer = /Signer: (ed25519:\S+)/.exec(said)?.[1] ?? '';
      return join(into, (await readdir(into)).find((name) => name.endsWith('.backup')) ?? 'no backup');
    }

    const contentsOfBucket = () =>
      Object.fromEntries(
        [...bucket.objects].map(([key, { content, headers }]) => [
          key,
          [content, headers['content-type'], headers['x-amz-meta-sha256']],
        ]),
      );

    /** Sorted, because the order of grants has no meaning. Newer versions add a random \\restrict line. */
    const schemaOf = (url: string) =>
      spawnSync('pg_dump', ['--schema-only', `--dbname=${url}`], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((line) => !/^\\(un)?restrict/.test(line))
        .sort();

    test('a backup restores into an empty database and bucket: every table, owner, grant and file is the same', async () => {
      const file = await backUp();
      const objects = contentsOfBucket();
      bucket.objects.clear();
      const target = await newDatabase('target');
      const dataDir = join(folder, 'restored');
      const restored = await anteroom({ ...target, DATA_DIR: dataDir }, 'restore', file, '--release-texts');
      expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('2 practices') });

      const tables = await hashTables(source.MIGRATE_DATABASE_URL);
      expect(differences(tables, await hashTables(target.MIGRATE_DATABASE_URL))).toEqual([]);
      expect(tables.get('public.visit')).toMatch(/^2 /);
      expect(schemaOf(target.MIGRATE_DATABASE_URL)).toEqual(schemaOf(source.MIGRATE_DATABASE_URL));
      expect(schemaOf(source.MIGRATE_DATABASE_URL).join('\n')).toContain('OWNER TO anteroom_door');

      expect(contentsOfBucket()).toEqual(objects);
      expect(Object.keys(objects).sort()).toEqual([...storedKeys].sort());

      const copy = await openTestApp({
        url: target.MIGRATE_DATABASE_URL,
        appUrl: target.DATABASE_URL,
        env: { ...secrets, ...bucket.env, DATA_DIR: dataDir },
      });
      try {
        const verdict = await verifyOffice(copy.services, t.maple.id);
        expect(verdict).toMatchObject({ findings: [], heads: 1 });
        expect(verdict.chained).toBeGreaterThan(0);
        const { file: stored, content } = await storage.get(storedKeys[3] ?? '');
        expect(
          createHash('sha256')
            .update(await buffer(content))
            .digest('hex'),
        ).toBe(stored.sha256);
      } finally {
        await copy.close();
      }
    });

    test('a restore refuses a database that is not empty, and a bucket with another file under the same key', async () => {
      const file = await backUp();
      await expect(anteroom({ ...source, DATA_DIR: join(folder, 'refused') }, 'restore', file)).rejects.toThrow(
        /not empty/,
      );
      const [key = ''] = storedKeys;
      const kept = bucket.objects.get(key);
      await storage.delete(key);
      await storage.put(key, Buffer.from('another picture'), { contentType: 'image/png' });
      const target = await newDatabase('refused');
      await expect(anteroom({ ...target, DATA_DIR: join(folder, 'refused') }, 'restore', file)).rejects.toThrow(
        `another file under ${key}`,
      );
      if (kept) bucket.objects.set(key, kept);
      expect(existsSync(join(folder, 'refused'))).toBe(false);
      expect([...(await hashTables(target.MIGRATE_DATABASE_URL)).keys()]).toEqual(['roles']);
    });

    test('a restore fills a database in which only an extension has tables', async () => {
      const file = await backUp();
      const target = await newDatabase('extended');
      const url = Object.assign(new URL(postgres.url), { pathname: '/extended' }).toString();
      await asAdmin('create table settings (name text)', url);
      await asAdmin('alter extension plpgsql add table settings', url);
      const restored = await anteroom({ ...target, DATA_DIR: join(folder, 'extended') }, 'restore', file);
      expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('2 practices') });
    });

    test('a restore of a forged backup adds nothing to the bucket and the database', async () => {
      const file = await backUp();
      const bytes = await readFile(file);
      const forged = join(folder, 'forged.backup');
      const lock = openLock({ identity: keys.identity });
      const output = createWriteStream(forged);
      const archive = await writeArchive(lock, output);
      for await (const { name, content } of readArchive(lock, Readable.from([bytes]))) {
        const read = await buffer(content);
        await archive.add(name, read.length, [read]);
        if (name === 'anteroom-backup.json') await archive.add('secrets/extra', 1, [Buffer.from('x')]);
      }
      await archive.finish();
      const objects = new Map(bucket.objects);
      bucket.objects.clear();
      try {
        const target = await newDatabase('forged');
        await expect(anteroom({ ...target, DATA_DIR: join(folder, 'forged') }, 'restore', forged)).rejects.toThrow(
          /signature of this backup is wrong/,
        );
        expect(bucket.objects.size).toBe(0);
        expect([...(await hashTables(target.MIGRATE_DATABASE_URL)).keys()]).toEqual(['roles']);
      } finally {
        for (const [key, object] of objects) bucket.objects.set(key, object);
      }
    });

    test('a backup refuses a login that cannot read all rows, and a missing owner login', async () => {
      await expect(backUp({ MIGRATE_DATABASE_URL: source.DATABASE_URL })).rejects.toThrow(
        /"anteroom_app" of MIGRATE_DATABASE_URL cannot read all practices' rows/,
      );
      await asAdmin('alter role anteroom_owner nobypassrls');
      await expect(backUp()).rejects.toThrow('alter role "anteroom_owner" bypassrls');
      await asAdmin('alter role anteroom_owner bypassrls');
      await expect(backUp({ MIGRATE_DATABASE_URL: '' })).rejects.toThrow(/owner's login.*MIGRATE_DATABASE_URL/);
    });

    test('a backup refuses when pg_dump is missing or older than the server, and leaves no file', async () => {
      const bin = join(folder, 'bin');
      await mkdir(bin);
      await expect(backUp({ POSTGRES_BIN: bin })).rejects.toThrow(
        'which is not installed. Install the PostgreSQL 15 client programs',
      );
      await writeFile(join(bin, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 14.9"\n');
      await chmod(join(bin, 'pg_dump'), 0o755);
      await expect(backUp({ POSTGRES_BIN: bin })).rejects.toThrow(
        'pg_dump is of PostgreSQL 14, the database is of PostgreSQL 15',
      );
      for (const name of (await readdir(folder)).filter((entry) => entry.startsWith('backups-')))
        expect((await readdir(join(folder, name))).filter((file) => file.includes('unfinished'))).toEqual([]);
    });
  },
);
