import { spawn, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#bench/ground/open-ground.ts';

/** PGBOUNCER, or Debian's; undefined without one. */
export const pgbouncer = [process.env.PGBOUNCER, '/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => path && existsSync(path),
);

/** pgbouncer keeps named statements in transaction mode from 1.21 on. */
export function knowsNamedStatements(path: string): boolean {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

export interface Pooler {
  /** The login's URL through the pooler. */
  url: string;
  stop(): Promise<void>;
}

interface PoolerSettings {
  /** The login's URL without the pooler. */
  directUrl: string;
  /** Connections to PostgreSQL at most. */
  connections: number;
  /** The login that pgbouncer uses instead of the client's, as a careless operator may configure it. */
  loginUrl?: string;
}

/** Starts pgbouncer in transaction mode in front of a database. It does not run as root, so there it becomes `nobody`. */
export async function startPgbouncer(
  path: string,
  { directUrl, connections, loginUrl = directUrl }: PoolerSettings,
): Promise<Pooler> {
  const { hostname, port, pathname, username, password } = new URL(directUrl);
  const login = new URL(loginUrl);
  const name = pathname.slice(1);
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-pgbouncer-'));
  await chmod(folder, 0o755);
  const listen = await freePort();
  const users = join(folder, 'users.txt');
  const file = join(folder, 'pgbouncer.ini');
  const logins = new Map([username, login.username].map((user, i) => [user, i === 0 ? password : login.password]));
  await writeFile(users, [...logins].map(([user, secret]) => `"${user}" "${decodeURIComponent(secret)}"\n`).join(''));
  const asAnother = login.username === username ? '' : ` user=${login.username}`;
  await writeFile(
    file,
    [
      '[databases]',
      `${name} = host=${hostname} port=${port} dbname=${name}${asAnother}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listen}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${connections}`,
      `max_db_connections = ${connections}`,
      'max_client_conn = 2000',
      'query_wait_timeout = 60',
      // The usual advice; the app sends no startup options.
      'ignore_startup_parameters = options,extra_float_digits',
      ...(knowsNamedStatements(path) ? ['max_prepared_statements = 200'] : []),
      '',
    ].join('\n'),
  );
  const child = spawn(path, ['-q', ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = Object.assign(new URL(directUrl), { hostname: '127.0.0.1', port: String(listen) }).toString();
  for (let tries = 0; !(await answers(url)); tries++) {
    if (child.exitCode !== null || tries > 200) throw new Error('pgbouncer did not start');
    await sleep(50);
  }
  return {
    url,
    async stop() {
      if (child.exitCode === null) child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  return client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end().catch(() => undefined));
}
