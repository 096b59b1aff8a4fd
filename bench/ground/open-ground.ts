import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { readEnv, type Env } from '#server/env.ts';
import type { Services } from '#server/context.ts';
import { openServices } from '#server/open-app.ts';
import { openDb, openOwnerPool, type Db } from '#server/kit/db/db.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { appUrlOf, setAppPassword } from '#testing/app/app-url.ts';

const secrets = { SESSION_SECRET: 's'.repeat(40), AUDIT_SECRET: 'a'.repeat(40), WEBHOOK_SECRET: 'w'.repeat(40) };

/** A fresh, migrated database and the app's services on it, for one benchmark. */
export interface BenchDatabase {
  /** The owner's URL; the ground's servers log in as the app. */
  url: string;
  appUrl: string;
  env: Env;
  services: Services;
  owner: Db;
  /** Starts the built server on this database (a production process) and waits until it is ready. */
  server(extra?: NodeJS.ProcessEnv): Promise<StartedServer>;
  /** Starts one of our scripts as a separate process; it prints a line when it is ready. */
  script(file: string, env: NodeJS.ProcessEnv): Promise<StartedServer>;
  session(personId: string): Promise<string>;
  /** Stops PostgreSQL with SIGKILL and waits until it answers again; on an external server it only cuts the connections. */
  restartDatabase(): Promise<void>;
  close(): Promise<void>;
}

export interface StartedServer {
  url: string;
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Opens the ground on TEST_DATABASE_URL's server, or on an embedded PostgreSQL for this run. `migrates` brings the empty database to its
 * schema; this version's by default.
 */
export async function openBenchDatabase(
  migrates: (url: string, appUrl: string) => Promise<void> = migrate,
): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-bench-'));
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? null : await startEmbeddedPostgres({ dataDir });
  const base = given ?? (embedded as { url: string }).url;
  const name = `bench_${process.pid}_${Date.now().toString(36)}`;
  await sqlOn(base, `create database ${name}`);
  const url = Object.assign(new URL(base), { pathname: `/${name}` }).toString();
  setAppPassword(embedded, base);
  const appUrl = appUrlOf(url);
  await migrates(url, appUrl);
  const env = readEnv({
    ...process.env,
    ...secrets,
    DATABASE_URL: appUrl,
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '1',
    DEMO: '',
  });
  const services = openServices(env, appUrl, pino({ level: 'error' }));
  const owner = openDb(openOwnerPool(url));
  const running: StartedServer[] = [];

  return {
    url,
    appUrl,
    env,
    services,
    owner,
    async server(extra = {}) {
      const started = await startBuiltServer({
        ...secrets,
        DATABASE_URL: appUrl,
        MIGRATE_DATABASE_URL: url,
        DATA_DIR: dataDir,
        NODE_ENV: 'production',
        LOCAL_PROVIDERS: '1',
        ...extra,
      });
      running.push(started);
      return started;
    },
    async script(file, extra) {
      const port = await freePort();
      const started = await start([join(projectRoot, file)], `http://127.0.0.1:${port}`, '/', {
        DATABASE_URL: url,
        PORT: String(port),
        ...extra,
      });
      running.push(started);
      return started;
    },
    async session(personId) {
      const token = newToken();
      const at = new Date();
      await owner
        .insertInto('auth.session')
        .values({
          id: services.id(),
          personId,
          tokenHash: hashToken(token),
          kind: 'bearer',
          createdAt: at,
          activeAt: at,
          expiresAt: new Date(at.getTime() + 43_200_000),
        })
        .execute();
      return token;
    },
    async restartDatabase() {
      if (embedded) await killPostgres(dataDir);
      else await cutConnections(owner);
      await untilAnswered(services);
    },
    async close() {
      await Promise.all(running.map((process) => process.stop('SIGKILL')));
      await services.live.close();
      await owner.destroy();
      await services.db.destroy();
      await sqlOn(base, `drop database ${name} with (force)`);
      await embedded?.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Stops the embedded PostgreSQL with SIGKILL; it is started again by itself. */
async function killPostgres(dataDir: string): Promise<void> {
  const pid = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0];
  process.kill(Number(pid), 'SIGKILL');
}

/** Ends all other connections to the database. */
async function cutConnections(owner: Db): Promise<void> {
  await owner.executeQuery(
    CompiledQuery.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  );
}

async function untilAnswered({ pool }: Services): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const answers = await pool.query('select 1').then(
      () => true,
      () => false,
    );
    if (answers) return;
  }
}

/** Starts the built server with this environment and waits until it is ready. */
export async function startBuiltServer(env: NodeJS.ProcessEnv): Promise<StartedServer> {
  const port = await freePort();
  const built = join(projectRoot, 'dist/server/main.js');
  const main = existsSync(built) ? built : join(projectRoot, 'server/main.ts');
  const url = `http://127.0.0.1:${port}`;
  return start([main], url, '/readyz', { PUBLIC_URL: url, ...env, HOST: '127.0.0.1', PORT: String(port) });
}

async function start(args: string[], url: string, readyPath: string, env: NodeJS.ProcessEnv): Promise<StartedServer> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const deadline = Date.now() + 30_000;
  for (;;) {
    const ok = await fetch(url + readyPath).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) break;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${args[0]} did not become ready`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url,
    pid: child.pid as number,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null) child.kill(signal);
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function sqlOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
