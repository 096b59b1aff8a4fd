import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ms, type Line } from '#bench/ground/report-lines.ts';
import { startBuiltServer } from '#bench/ground/open-ground.ts';

const rounds = 3;

/** From the command to the first 200: with an empty data folder (PostgreSQL is created, migrated and seeded), and on a restart. */
export async function coldStart(): Promise<Line[]> {
  const fresh: Start[] = [];
  const existing: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-cold-'));
    try {
      fresh.push(await startOn(dataDir));
      existing.push(await startOn(dataDir));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return [
    line('cold start on a fresh data folder: initdb, migrations, demo offices', fresh),
    line('cold start on an existing data folder', existing),
  ];
}

interface Start {
  readyMs: number;
  pageMs: number;
  rssBytes: number;
}

async function startOn(dataDir: string): Promise<Start> {
  const from = performance.now();
  const started = await startBuiltServer({
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    MIGRATE_DATABASE_URL: '',
    NODE_ENV: '',
    DEMO: '1',
  });
  const readyMs = performance.now() - from;
  const page = await fetch(started.url);
  if (!page.ok) throw new Error(`/ answered ${page.status}`);
  await page.text();
  const pageMs = performance.now() - from;
  const metrics = await (await fetch(`${started.url}/metrics`)).text();
  const rssBytes = Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
  await started.stop();
  return { readyMs, pageMs, rssBytes };
}

function line(what: string, starts: Start[]): Line {
  const of = (part: keyof Start) => median(starts.map((start) => start[part]));
  return {
    what,
    figure: `/readyz 200 after ${ms(of('readyMs'))}, / after ${ms(of('pageMs'))}; ${Math.round(of('rssBytes') / 1e6)} MB resident`,
    beside: '',
    aim: '',
    met: null,
  };
}
