import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { appRole, isRefusedLogin } from '#server/kit/db/app-login.ts';
import { lockFile } from '#server/kit/file-lock.ts';
import { haveEmbeddedAppLogin } from '#server/kit/db/migrate.ts';
import type { Major } from './binaries.ts';
import { openCluster, type Cluster } from './cluster.ts';
import { ensurePostmaster, stopPostmaster } from './postmaster.ts';

const patienceMs = 60_000;
const database = 'anteroom';
/** The advisory lock that every process using the cluster shares. */
const presence = 7_306_093;

export interface EmbeddedPostgres {
  /** The superuser's URL of the database `anteroom`: for migrations and operator commands only. */
  url: string;
  /** The app's own login to the same database. */
  appUrl: string;
  port: number;
  /** Leaves; the last process to leave stops PostgreSQL. */
  release(): Promise<void>;
}

interface Stay {
  cluster: Cluster;
  port: number;
  /** Holds a lock that marks this process as a user of the cluster. */
  session: Session;
  /** Resolves when PostgreSQL or the connection to it has ended. */
  ended: Promise<void>;
}

/** pg's types lack these two. */
interface Session extends pg.Client {
  ref(): void;
  unref(): void;
}

/**
 * A real PostgreSQL under `dataDir`: created, started, adopted from a killed process, or shared with other processes. It outlives this
 * process unless released, and is restarted if it dies in the meantime. Throws within about a minute.
 */
export async function startEmbeddedPostgres(opts: { dataDir: string; major?: Major }): Promise<EmbeddedPostgres> {
  const dataDir = resolve(opts.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const enter = () => withLock(dataDir, (deadline) => arrive(dataDir, opts.major ?? 18, deadline));
  let stay = await enter();
  let released = false;
  let returning = Promise.resolve();
  watchServer();

  function watchServer(): void {
    void stay.ended.then(() => {
      if (!released) returning = comeBack();
    });
  }

  async function comeBack(): Promise<void> {
    while (!released) {
      const again = await enter().catch(() => undefined);
      if (again) {
        stay = again;
        return watchServer();
      }
      await sleep(500);
    }
  }

  async function release(): Promise<void> {
    if (released) return;
    released = true;
    await returning;
    await withLock(dataDir, (deadline) => leave(stay, deadline));
  }

  const { port, cluster } = stay;
  return { url: superuserUrl(cluster, port), appUrl: appUrlOf(cluster, port), port, release };
}

const superuserUrl = ({ password }: Cluster, port: number) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
const appUrlOf = ({ appPassword }: Cluster, port: number) =>
  `postgres://${appRole}:${appPassword}@127.0.0.1:${port}/${database}`;

/** Joining and leaving are serialized, so that nobody joins a PostgreSQL that is about to stop. */
async function withLock<T>(dataDir: string, action: (deadline: number) => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  const unlock = await lockFile(join(dataDir, 'postgres.lock'), deadline);
  try {
    return await action(deadline);
  } finally {
    unlock();
  }
}

async function arrive(dataDir: string, major: Major, deadline: number): Promise<Stay> {
  const cluster = await openCluster(dataDir, major);
  for (;;) {
    const port = await ensurePostmaster(cluster, deadline);
    try {
      return await takePart(cluster, port);
    } catch (error) {
      // A server that is being stopped may answer one last time; a refused login stays refused.
      if (isRefusedLogin(error) || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

async function takePart(cluster: Cluster, port: number): Promise<Stay> {
  const session = await connect(cluster, port);
  const ended = new Promise<void>((resolve) => session.once('end', () => resolve()));
  try {
    await session.query('SELECT pg_advisory_lock_shared($1)', [presence]);
    const made = await session.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (made.rowCount === 0) await session.query(`CREATE DATABASE ${database}`).catch(unlessMade);
    await haveEmbeddedAppLogin(session, appUrlOf(cluster, port));
  } catch (error) {
    await session.end().catch(() => undefined);
    throw error;
  }
  session.unref();
  return { cluster, port, session, ended };
}

/** The session of a process that was just killed may still be creating it. */
function unlessMade(error: { code?: string }): void {
  const duplicate = ['42P04', '23505'];
  if (!duplicate.includes(error.code ?? '')) throw error;
}

async function leave(stay: Stay, deadline: number): Promise<void> {
  // If it does not answer, it is already gone.
  const wasLast = await isLastOut(stay).catch(() => false);
  if (wasLast) await stopPostmaster(stay.cluster, deadline);
}

async function isLastOut({ cluster, port, session }: Stay): Promise<boolean> {
  session.ref();
  const left = session.query('SELECT pg_advisory_unlock_shared($1)', [presence]).then(() => session);
  const asking = await left.catch(() => connect(cluster, port));
  const { rows } = await asking.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [presence]);
  await asking.end();
  return rows[0]?.alone === true;
}

async function connect({ password }: Cluster, port: number): Promise<Session> {
  const session = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    ssl: false,
    application_name: 'anteroom presence',
    connectionTimeoutMillis: 10_000,
  }) as Session;
  session.on('error', () => undefined);
  await session.connect();
  return session;
}
