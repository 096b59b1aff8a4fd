import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { projectRoot } from '#server/kit/project-root.ts';
import { freePort } from './open-ground.ts';

const python = '/usr/bin/python3';
const script = join(projectRoot, 'bench/ground/swift-server.py');
const kinds = ['account', 'container', 'object', 'proxy'] as const;
type Kind = (typeof kinds)[number];

/** Installs Debian's library of OpenStack Swift if permitted; it starts no service by itself. */
export function hasSwift(): boolean {
  if (isThere()) return true;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3-swift'], { env });
  return isThere();
}

const isThere = () => spawnSync(python, ['-c', 'import swift.common.wsgi']).status === 0;

/** A foreign store that speaks S3: Swift with its s3api, four processes on loopback, files in a scratch folder. */
export async function openSwift() {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-swift-'));
  const [account, container, object, proxy] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ] as const;
  const ports = { account, container, object, proxy };
  const running = new Map<Kind, ChildProcess>();
  const start = async (kind: Kind) => {
    const child = spawn(python, [script, kind, join(folder, `${kind}.conf`)], { stdio: 'ignore' });
    running.set(kind, child);
    await answers(ports[kind], child);
  };
  const stop = async (kind: Kind) => {
    const child = running.get(kind);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const close = async () => {
    await Promise.all(kinds.map(stop));
    await rm(folder, { recursive: true, force: true });
  };

  try {
    await mkdir(join(folder, 'devices/disk'), { recursive: true });
    await writeFile(join(folder, 'swift.conf'), swiftConf);
    for (const kind of kinds) await writeFile(join(folder, `${kind}.conf`), confOf(kind, folder, ports[kind]));
    const rings = spawnSync(python, [script, 'rings', folder, String(account), String(container), String(object)]);
    if (rings.status !== 0) throw new Error(`no rings: ${String(rings.stderr)}`);
    await Promise.all(kinds.map(start));
    const env = {
      S3_BUCKET: 'anteroom-files',
      S3_ENDPOINT: `http://127.0.0.1:${proxy}`,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'test:tester',
      S3_SECRET_ACCESS_KEY: 'testing',
    };
    await makeBucket(env);
    return {
      env,
      /** Kills the storage process with SIGKILL and restarts it. */
      async restart() {
        await stop('object');
        await start('object');
      },
      stop,
      start,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeBucket(env: Record<`S3_${string}`, string>): Promise<void> {
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: env.S3_REGION ?? '' });
  const answer = await client.fetch(`${env.S3_ENDPOINT}/${env.S3_BUCKET}`, { method: 'PUT' });
  if (!answer.ok) throw new Error(`no bucket: ${answer.status} ${await answer.text()}`);
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await sleep(30)) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    );
    socket.destroy();
    if (isOpen) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`nothing answers on ${port}`);
  }
}

const swiftConf = `[swift-hash]
swift_hash_path_suffix = drill
[storage-policy:0]
name = one
default = yes
`;

const confOf = (kind: Kind, folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
${kind === 'proxy' ? proxyConf : `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`}`;

/** It requires a configured cache; this address does not answer, and Swift works without it. */
const proxyConf = `[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_limit = 1000000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`;
