import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentForPostgres, explainPostgresError, writePrivately, type Cluster } from './cluster.ts';

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements contain patient data, so only the server's own state is logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

interface Launch {
  /** Offset in the log where this launch begins. */
  logFrom: number;
  /** Why it ended; undefined while it runs. */
  ended?: string;
}

/** Adopts the cluster's running postmaster or starts one; resolves with its port once it takes connections. */
export async function ensurePostmaster(cluster: Cluster, deadline: number): Promise<number> {
  let launched: Launch | undefined;
  for (;;) {
    const running = findPostmaster(cluster);
    if (running?.ready) return running.port;
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL in ${cluster.dir} is not ready after a minute.\n${readLog(cluster)}`);
    if (!running && launched?.ended) await clearTheWay(cluster, launched);
    if (!running && (!launched || launched.ended)) launched = launch(cluster, await choosePort(cluster));
    await sleep(10);
  }
}

/** Stops the cluster's postmaster after a checkpoint, ending its sessions. */
export async function stopPostmaster(cluster: Cluster, deadline: number): Promise<void> {
  const running = findPostmaster(cluster);
  if (!running) return;
  process.kill(running.pid, 'SIGINT');
  while (isPostmaster(running)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL in ${cluster.dir} (pid ${running.pid}) did not stop.`);
    await sleep(10);
  }
}

/** The running postmaster in postmaster.pid; after a crash or a reused pid, the file means nothing. */
function findPostmaster(cluster: Cluster): Postmaster | undefined {
  const file = pidFile(cluster);
  if (!existsSync(file)) return undefined;
  const [pid, , , port, , , , status] = readFileSync(file, 'utf8').split('\n');
  const named = { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' };
  return named.pid && named.port && isPostmaster(named) ? named : undefined;
}

function isPostmaster({ pid, port }: { pid: number; port: number }): boolean {
  try {
    const proc = `/proc/${pid}/cmdline`;
    const command = existsSync('/proc/self')
      ? readFileSync(proc, 'utf8')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(`port=${port}`);
  } catch {
    return false;
  }
}

/** Detached, so that it outlives this process: a killed server loses nothing, and the next one adopts it. */
function launch(cluster: Cluster, port: number): Launch {
  const { data, bin, dir, runAs } = cluster;
  const log = openSync(join(dir, 'postgres.log'), 'a', 0o600);
  if (runAs) chownSync(join(dir, 'postgres.log'), runAs.uid, runAs.gid);
  const launched: Launch = { logFrom: fstatSync(log).size };
  const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...runAs,
    cwd: '/',
    env: environmentForPostgres,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.once('error', (error) => (launched.ended = error.message));
  child.once('exit', (code, signal) => (launched.ended ??= signal ?? `exit code ${code}`));
  child.unref();
  return launched;
}

/** Removes the cause of a transient failure before a retry; throws for any other. */
async function clearTheWay(cluster: Cluster, { logFrom, ended }: Launch): Promise<void> {
  const logText = readLog(cluster, logFrom);
  if (/could not bind|could not create any TCP/.test(logText)) rmSync(portFile(cluster), { force: true });
  else if (/lock file ".*" already exists/.test(logText)) rmSync(pidFile(cluster), { force: true });
  else if (!/pre-existing shared memory|previous server processes/.test(logText)) {
    throw new Error(`PostgreSQL in ${cluster.dir} could not start (${ended}): ${explainPostgresError(logText)}`);
  }
  await sleep(200);
}

/** The cluster keeps its port, so that its URL stays valid after a restart. */
async function choosePort(cluster: Cluster): Promise<number> {
  const file = portFile(cluster);
  if (existsSync(file)) return Number(readFileSync(file, 'utf8'));
  // Below the range of ephemeral ports.
  let port = randomInt(15_000, 32_000);
  while (!(await isFree(port))) port = randomInt(15_000, 32_000);
  writePrivately(file, String(port), cluster);
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function readLog({ dir }: Cluster, from = 0): string {
  const file = join(dir, 'postgres.log');
  return existsSync(file) ? readFileSync(file).subarray(from).toString('utf8').trim() : '';
}

function pidFile({ data }: Cluster): string {
  return join(data, 'postmaster.pid');
}

function portFile({ dir }: Cluster): string {
  return join(dir, 'port');
}
