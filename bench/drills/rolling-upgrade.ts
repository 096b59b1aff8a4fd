import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDb, openOwnerPool } from '#server/kit/db/db.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { freePort, startProcess, type ServerProcess } from '#testing/app/process.ts';
import { startDesks, type CallCounts } from '#bench/ground/desks.ts';
import type { BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { haproxy, startProxy } from './haproxy.ts';

const desksAtWork = 12;
const mixedMs = 2_000;

interface Upgrade {
  rounds: number;
  /** The older version; by default the last one before the newest migration. */
  from: string | undefined;
  /** Kills the old processes: then the drill must see failures. */
  rough: boolean;
}

/**
 * An older version and this one side by side on one database, behind HAProxy, while desks write and poll. Each round begins with two old
 * processes on the old schema; the first new one migrates it under the old one that still works. No call fails, and each write is there
 * exactly once. Skipped without HAProxy, without the repository's history, or if the older version needs other packages.
 */
export async function drillUpgrade({ rounds, from, rough }: Upgrade): Promise<Line[]> {
  const older = from ?? versionBeforeMigration();
  const skip = !haproxy ? 'no haproxy' : older === undefined ? 'no history in git' : await otherPackages(older);
  if (!haproxy || older === undefined || skip !== undefined) {
    process.stdout.write(`skipped: two versions side by side on one database (${skip})\n`);
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-upgrade-'));
  const oldRoot = join(folder, 'old');
  await unpack(older, oldRoot);
  let offices: BenchOffice[] = [];
  const ground = await openBenchDatabase(async (url, appUrl) => {
    offices = addOldOffices(oldRoot, { MIGRATE_DATABASE_URL: url, DATABASE_URL: appUrl, DATA_DIR: folder });
  });
  try {
    const outcomes: Outcome[] = [];
    for (let round = 0; round < rounds; round++) {
      outcomes.push(await upgradeOnce({ haproxy, oldRoot, folder, rough }, ground.url, offices));
    }
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
    const failures = outcomes.flatMap(({ failures: broken, refused }) => [
      ...broken,
      ...Array<string>(refused).fill('503'),
    ]);
    const tookMs = outcomes.flatMap((outcome) => outcome.tookMs);
    const migrations = sum(({ migrated }) => migrated) / rounds;
    return [
      {
        what: `${rounds} upgrades from ${older.slice(0, 8)} under load: failed`,
        figure: `${failures.length} of ${sum(({ calls }) => calls).toLocaleString('en')} calls`,
        beside:
          failures.slice(0, 3).join('; ') || `p99 ${ms(percentile(tookMs, 99))}, slowest ${ms(Math.max(...tookMs))}`,
        aim: rough ? 'some' : '0',
        met: rough ? failures.length > 0 : failures.length === 0,
      },
      {
        what: 'executed twice, or lost',
        figure: `${sum(({ twice }) => twice)} twice, ${sum(({ lost }) => lost)} lost`,
        beside: `${sum(({ written }) => written.length).toLocaleString('en')} messages acknowledged`,
        aim: '0, 0',
        met: sum(({ twice }) => twice) === 0 && sum(({ lost }) => lost) === 0,
      },
      {
        what: 'migrations that ran under an old process at work',
        figure: `${migrations} in each round`,
        beside: `${outcomes.map(({ sideBySide }) => sideBySide).join(', ')} calls while both versions answered`,
        aim: '≥ 1',
        met: migrations >= 1 && outcomes.every(({ sideBySide }) => sideBySide > 0),
      },
    ];
  } finally {
    await ground.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Outcome extends CallCounts {
  twice: number;
  lost: number;
  /** Migrations of the new version. */
  migrated: number;
  /** Calls answered while one process was old and one new. */
  sideBySide: number;
}

interface Sides {
  haproxy: string;
  oldRoot: string;
  folder: string;
  rough: boolean;
}

async function upgradeOnce({ haproxy: path, oldRoot, folder, rough }: Sides, template: string, offices: BenchOffice[]) {
  const name = `upgrade_${process.pid}_${Date.now().toString(36)}`;
  await onServer(template, `create database ${name} template ${new URL(template).pathname.slice(1)}`);
  const url = Object.assign(new URL(template), { pathname: `/${name}` }).toString();
  const owner = openDb(openOwnerPool(url));
  const ports = [await freePort(), await freePort()] as const;
  const start = (port: number, root: string) =>
    startProcess(
      url,
      {
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_URL: appUrlOf(url),
        DATA_DIR: folder,
        DRAIN_SECONDS: '2',
        TRUST_PROXY: '127.0.0.1',
      },
      '/readyz',
      root,
    );
  const servers: ServerProcess[] = await Promise.all(ports.map((port) => start(port, oldRoot)));
  const front = await startProxy(path, folder, ports);
  const migrations = async () =>
    (await onServer(url, 'select count(*)::int as count from schema_migration'))[0]?.count ?? 0;
  try {
    await Promise.all(ports.map((_, i) => front.sees(i)));
    const before = await migrations();
    const desks = startDesks([front.url], offices, owner);
    await sleep(mixedMs / 2);
    const writtenAt: number[] = [];
    for (const [i, port] of ports.entries()) {
      await servers[i]?.stop(rough ? 'SIGKILL' : 'SIGTERM');
      servers[i] = await start(port, projectRoot);
      await front.sees(i);
      writtenAt.push(desks.written().length);
      await sleep(mixedMs);
      writtenAt.push(desks.written().length);
    }
    const counts = await desks.stop();
    const rows = await onServer<{ body: string }>(url, "select body from message where body like 'desk %'");
    const different = new Set(rows.map(({ body }) => body));
    return {
      ...counts,
      twice: rows.length - different.size,
      lost: counts.written.filter((body) => !different.has(body)).length,
      migrated: (await migrations()) - before,
      sideBySide: (writtenAt[1] ?? 0) - (writtenAt[0] ?? 0),
    };
  } finally {
    front.stop();
    for (const server of servers) await server.stop('SIGKILL').catch(() => null);
    await owner.destroy();
    await onServer(template, `drop database ${name} with (force)`);
  }
}

/** The commit before the newest migration. */
function versionBeforeMigration(): string | undefined {
  const args = ['log', '-1', '--diff-filter=A', '--format=%H', '--', 'db/migrations'];
  const { stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  return stdout.trim() ? `${stdout.trim()}^` : undefined;
}

const fileOf = (version: string, path: string) =>
  spawnSync('git', ['show', `${version}:${path}`], { cwd: projectRoot, encoding: 'utf8' }).stdout;

/** Both versions run with the packages that are installed here. */
async function otherPackages(version: string): Promise<string | undefined> {
  const installed = await readFile(join(projectRoot, 'package-lock.json'), 'utf8');
  return fileOf(version, 'package-lock.json') === installed ? undefined : `${version} needs other packages`;
}

/** Unpacks an older version, with the packages of this one. */
async function unpack(version: string, root: string): Promise<void> {
  await mkdir(root);
  const archive = execFileSync('git', ['archive', version], { cwd: projectRoot, maxBuffer: 1_000_000_000 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  await copyFile(join(projectRoot, 'bench/drills/old-offices.ts'), join(root, 'bench/drills/old-offices.ts'));
}

function addOldOffices(root: string, env: NodeJS.ProcessEnv): BenchOffice[] {
  const printed = execFileSync(process.execPath, ['bench/drills/old-offices.ts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SESSION_SECRET: 's'.repeat(40),
      AUDIT_SECRET: 'a'.repeat(40),
      WEBHOOK_SECRET: 'w'.repeat(40),
      NODE_ENV: 'production',
      LOCAL_PROVIDERS: '1',
      OFFICES: String(desksAtWork),
      VISITS: '3',
      ...env,
    },
  });
  return JSON.parse(printed) as BenchOffice[];
}

async function onServer<Row extends pg.QueryResultRow = { count: number }>(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
