import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#testing/app/process.ts';
import { haproxy } from './haproxy.ts';

const postgresBin = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';
const startsWithinMs = 90_000;

/** What is missing here for a cluster, with what to install; undefined if nothing is. */
export function missingForCluster(): string | undefined {
  const programs = {
    patroni: '/usr/bin/patroni',
    'etcd-server': '/usr/bin/etcd',
    'postgresql-15': `${postgresBin}/initdb`,
  };
  const missing = Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (!haproxy) missing.push('haproxy');
  return missing.length === 0 ? undefined : `apt install ${missing.join(' ')}`;
}

interface ClusterNode {
  name: string;
  port: number;
  restPort: number;
  folder: string;
}

export interface Cluster {
  /** The superuser's URL through HAProxy, which leads to the primary. */
  url: string;
  /** Kills the primary's PostgreSQL with -9; its Patroni lives. Returns when. */
  killPrimary(): Promise<number>;
  /** Stops the process that receives the write-ahead log of the synchronous standby; returns a function that lets it go on. */
  stallStandby(): Promise<() => void>;
  /** Waits until there is a primary, and all others stream from it. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

/** Three PostgreSQL servers under Patroni with one etcd, and HAProxy that asks each Patroni for `/primary`. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-cluster-'));
  const isRoot = process.getuid?.() === 0;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  // PostgreSQL does not run as root.
  const as = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const started: ChildProcess[] = [];
  const run = (path: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(path, args, { ...as, cwd: folder, stdio: 'ignore', env: { ...process.env, ...env } });
    started.push(child);
    return child;
  };
  const password = 'drill';
  const [etcdPort, etcdPeerPort, frontPort] = [await freePort(), await freePort(), await freePort()];
  const nodes: ClusterNode[] = [];
  for (const name of ['node0', 'node1', 'node2']) {
    const node = { name, port: await freePort(), restPort: await freePort(), folder: join(folder, name) };
    await mkdir(node.folder);
    await writeFile(join(folder, `${name}.yml`), settingsOf(node, etcdPort, password));
    nodes.push(node);
  }
  await writeFile(join(folder, 'haproxy.cfg'), frontOf(nodes, frontPort));
  await chmod(folder, 0o755);
  if (isRoot) execFileSync('chown', ['-R', 'postgres:', folder]);

  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${etcdPeerPort}`;
  run('/usr/bin/etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ]);
  for (const { name } of nodes) run('/usr/bin/patroni', [join(folder, `${name}.yml`)]);
  run(haproxy as string, ['-db', '-f', join(folder, 'haproxy.cfg')]);

  const members = async () => {
    for (const { restPort } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const nodeOf = async (role: string) => {
    for (;;) {
      const name = (await members()).find((member) => member.role === role && member.state !== 'stopped')?.name;
      const node = nodes.find((one) => one.name === name);
      if (node) return node;
      await sleep(100);
    }
  };
  const cluster: Cluster = {
    url: `postgres://postgres:${password}@127.0.0.1:${frontPort}/postgres`,
    async killPrimary() {
      const { folder: of } = await nodeOf('leader');
      process.kill(Number((await readFile(join(of, 'data/postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
      return performance.now();
    },
    async stallStandby() {
      const { port } = await nodeOf('sync_standby');
      const standby = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' });
      await standby.connect();
      const { rows } = await standby.query<{ pid: number }>('select pid from pg_stat_wal_receiver');
      await standby.end();
      const pid = rows[0]?.pid;
      if (pid === undefined) throw new Error('the standby receives nothing');
      process.kill(pid, 'SIGSTOP');
      return () => void process.kill(pid, 'SIGCONT');
    },
    async untilWhole() {
      const until = Date.now() + startsWithinMs;
      for (;;) {
        const now = await members();
        const roles = now.filter(({ state }) => ['running', 'streaming'].includes(state)).map(({ role }) => role);
        if (roles.length === nodes.length && roles.includes('leader') && roles.includes('sync_standby')) return;
        if (Date.now() > until) throw new Error(`the cluster is not whole: ${JSON.stringify(now)}`);
        await sleep(200);
      }
    },
    async stop() {
      for (const child of started.toReversed()) child.kill('SIGKILL');
      for (const { folder: of } of nodes) {
        const file = await readFile(join(of, 'data/postmaster.pid'), 'utf8').catch(() => '');
        const pid = Number(file.split('\n')[0]);
        if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGQUIT');
        for (let tries = 0; pid > 0 && isAlive(pid) && tries < 100; tries++) await sleep(50);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await cluster.untilWhole();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

interface Member {
  name: string;
  role: string;
  state: string;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Patroni's settings; docs/operating.md explains those of `dcs`. */
const settingsOf = ({ name, port, restPort, folder }: ClusterNode, etcdPort: number, password: string) => `
scope: anteroom
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { host: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 100, shared_buffers: 64MB, synchronous_commit: 'on', wal_keep_size: 512MB }
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
postgresql:
  listen: '127.0.0.1:${port}'
  connect_address: '127.0.0.1:${port}'
  data_dir: ${folder}/data
  bin_dir: ${postgresBin}
  pgpass: ${folder}/pgpass
  pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256']
  authentication:
    superuser: { username: postgres, password: ${password} }
    replication: { username: replicator, password: ${password} }
  parameters: { unix_socket_directories: '' }
`;

const frontOf = (nodes: ClusterNode[], port: number) => `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: at, restPort }) => `  server ${name} 127.0.0.1:${at} check port ${restPort}`).join('\n')}
`;
