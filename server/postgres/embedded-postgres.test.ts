import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

let dataDir: string;
const here: EmbeddedPostgres[] = [];
const elsewhere: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'a practice '));
});

afterEach(async () => {
  await Promise.all(elsewhere.splice(0).map(kill));
  await Promise.all(here.splice(0).map((postgres) => postgres.release()));
  await (await startEmbeddedPostgres({ dataDir, major: majorOf(dataDir) })).release();
  rmSync(dataDir, { recursive: true });
});

describe('PostgreSQL with nothing configured', { timeout: 60_000 }, () => {
  test('the embedded PostgreSQL keeps its data, survives the first process to leave and stops with the last', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE visit AS SELECT 1 AS id');
    const second = await start();
    expect(second.url).toBe(first.url);
    await first.release();
    expect(await query(second.url, 'SELECT id FROM visit')).toEqual([{ id: 1 }]);
    await second.release();
    await expect(query(second.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    const again = await start();
    expect(again.url).toBe(first.url);
    expect(await query(again.url, 'SELECT id FROM visit')).toEqual([{ id: 1 }]);
  });

  test('the embedded PostgreSQL syncs to disk, listens on this machine only, uses UTF-8 and keeps its password private', async () => {
    const { url } = await start();
    const [server] = await query(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listens, lower('ÁÑÜ') AS lower,
              current_setting('server_encoding') AS encoding, current_setting('max_connections')::int AS connections`,
    );
    expect(server).toEqual({ fsync: 'on', listens: '127.0.0.1', lower: 'áñü', encoding: 'UTF8', connections: 300 });
    for (const file of ['password', 'app-password'])
      expect(statSync(join(dataDir, 'postgres', file)).mode & 0o777).toBe(0o600);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    );
  });

  test('the embedded PostgreSQL gives the app its own login, also in an older folder or one with another password', async () => {
    const first = await start();
    const whoAmI = `SELECT session_user::text AS login, (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS super`;
    expect(await query(first.appUrl, whoAmI)).toEqual([{ login: 'anteroom_app', super: false }]);
    await query(first.url, `ALTER ROLE anteroom_app NOLOGIN PASSWORD NULL`);
    await first.release();
    const upgraded = await start();
    expect(upgraded.appUrl).toBe(first.appUrl);
    expect(await query(upgraded.appUrl, whoAmI)).toEqual([{ login: 'anteroom_app', super: false }]);
    await upgraded.release();
    rmSync(join(dataDir, 'postgres/app-password'));
    const again = await start();
    expect(again.appUrl).not.toBe(first.appUrl);
    expect(await query(again.appUrl, whoAmI)).toEqual([{ login: 'anteroom_app', super: false }]);
  });

  test('the PostgreSQL of a killed server is adopted, with everything committed', async () => {
    const child = await startElsewhere();
    await query(child.url, 'CREATE TABLE visit AS SELECT 1 AS id');
    const started = await postmasterStart(child.url);
    await kill(child.process);
    const { url } = await start();
    expect(await postmasterStart(url)).toEqual(started);
    expect(await query(url, 'SELECT id FROM visit')).toEqual([{ id: 1 }]);
  });

  test('a killed PostgreSQL restarts at the next start with everything committed', async () => {
    const child = await startElsewhere();
    await query(child.url, 'CREATE TABLE visit AS SELECT 1 AS id');
    const postmaster = postmasterPid();
    await kill(child.process);
    process.kill(postmaster, 'SIGKILL');
    const { url } = await start();
    expect(await query(url, 'SELECT id FROM visit')).toEqual([{ id: 1 }]);
  });

  test('a killed PostgreSQL restarts under a running server, at the same address', async () => {
    const { url } = await start();
    await query(url, 'CREATE TABLE visit AS SELECT 1 AS id');
    process.kill(postmasterPid(), 'SIGKILL');
    await expect
      .poll(() => query(url, 'SELECT id FROM visit').catch(() => []), { timeout: 20_000 })
      .toEqual([{ id: 1 }]);
  });

  test('two processes that start at once share one PostgreSQL', async () => {
    const children = await Promise.all([startElsewhere(), startElsewhere()]);
    const [a, b] = await Promise.all(children.map(({ url }) => postmasterStart(url)));
    expect(a).toEqual(b);
  });

  test('a process can start while another stops PostgreSQL, again and again', async () => {
    await start();
    for (let round = 0; round < 8; round++) {
      const [leaving] = here.splice(0);
      const [next] = await Promise.all([sleep(round * 4).then(() => start()), leaving?.release()]);
      expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    }
  });

  test('a postmaster.pid with the pid of another process is no obstacle', async () => {
    await (await start()).release();
    const stale = [process.pid, join(dataDir, 'postgres/data'), 1, 15_000, '', '127.0.0.1', '', 'ready', ''];
    writeFileSync(join(dataDir, 'postgres/data/postmaster.pid'), stale.join('\n'));
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('a port that another program took meanwhile is replaced', async () => {
    const before = await start();
    await before.release();
    const squatter = createServer().listen(before.port, '127.0.0.1');
    await once(squatter, 'listening');
    const after = await start();
    expect(after.port).not.toBe(before.port);
    expect(await query(after.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    squatter.close();
  });

  test('a setting that PostgreSQL cannot start with is reported at once', async () => {
    await (await start()).release();
    const settings = join(dataDir, 'postgres/data/postgresql.conf');
    const good = readFileSync(settings);
    writeFileSync(settings, 'shared_buffers = nonsense\n');
    await expect(start()).rejects.toThrow(/could not start .*shared_buffers/s);
    writeFileSync(settings, good);
  });

  test('PostgreSQL 15 has its own folder, and refuses one of 18', async () => {
    const { url } = await start(15);
    const [server] = await query(
      url,
      `SELECT current_setting('server_version_num')::int / 10000 AS major, lower('ÁÑÜ') AS lower`,
    );
    expect(server).toEqual({ major: 15, lower: 'áñü' });
    await expect(start(18)).rejects.toThrow('was made by PostgreSQL 15');
  });
});

async function start(major?: 15 | 18): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...(major && { major }) });
  here.push(postgres);
  return postgres;
}

/** A second process that starts PostgreSQL and keeps running. */
async function startElsewhere(): Promise<{ process: ChildProcess; url: string }> {
  const module = JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'));
  const code = `
    const { startEmbeddedPostgres } = await import(${module});
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write(postgres.url + '\\n');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  elsewhere.push(child);
  const url = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  return { process: child, url: String(url[0]) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function query(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function postmasterStart(url: string): Promise<object[]> {
  return query(url, 'SELECT pg_postmaster_start_time()');
}

function postmasterPid(): number {
  return Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
}

function majorOf(dir: string): 15 | 18 {
  return readFileSync(join(dir, 'postgres/data/PG_VERSION'), 'utf8').trim() === '15' ? 15 : 18;
}
