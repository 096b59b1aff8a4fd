import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { countsFromVitest } from '#script/counts.ts';
import type { Line } from '#bench/ground/report-lines.ts';

const fewestNodes = 3;
/** A statement passes two servers and takes longer. */
const testMs = 180_000;

/**
 * The server's tests on a Citus cluster: `url` is the owner's URL of its coordinator. Without one the drill is skipped by name. A URL that
 * is no cluster of three nodes is a failure, because a plain PostgreSQL would pass and prove nothing.
 */
export async function drillCitus(url: string | undefined): Promise<Line[]> {
  if (url === undefined) {
    process.stdout.write("skipped: the server's tests on a three-node Citus (no --url)\n");
    return [];
  }
  const { version, nodes } = await clusterAt(url);
  if (nodes < fewestNodes) throw new Error(`${version} has ${nodes} nodes, the drill needs ${fewestNodes}`);
  const report = join(tmpdir(), `anteroom-citus-${process.pid}.json`);
  const code = await runServerTests(url, report);
  const counts = countsFromVitest(await readFile(report, 'utf8'));
  await rm(report, { force: true });
  return [
    {
      what: "the server's tests on Citus",
      figure: `${counts?.passed ?? 0} passed, ${counts?.failed ?? 0} failed`,
      beside: `${version}, ${nodes} nodes`,
      aim: '0 failed',
      met: code === 0 && (counts?.passed ?? 0) > 0 && counts?.failed === 0,
    },
  ];
}

async function clusterAt(url: string): Promise<{ version: string; nodes: number }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string; nodes: number }>(
      'select citus_version() as version, (select count(*)::int from pg_dist_node where isactive) as nodes',
    );
    return rows[0] as { version: string; nodes: number };
  } finally {
    await client.end();
  }
}

function runServerTests(url: string, report: string): Promise<number | null> {
  const tests = spawn(
    'node_modules/.bin/vitest',
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      `--testTimeout=${testMs}`,
      'server/',
      'db/',
    ],
    { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: url } },
  );
  return new Promise((resolve, reject) => tests.once('error', reject).once('close', resolve));
}
