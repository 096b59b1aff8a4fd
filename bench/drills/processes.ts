import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb, openOwnerPool } from '#server/kit/db/db.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { startProcess, type ServerProcess } from '#testing/app/process.ts';
import { ms, type Line } from '#bench/ground/report-lines.ts';
import { checkMoneyLedger } from './money-ledger.ts';

const npi = '1234567893';
const checkIns = 12;

/**
 * Two real processes on one data folder without configuration: a change in one reaches the other. Either one, and then both with the
 * database, are killed with -9, and everything is there again.
 */
export async function drillProcesses(): Promise<Line[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-two-'));
  const running = new Set<ServerProcess>();
  const start = async () => {
    const server = await startProcess(null, { DATA_DIR: dataDir, NODE_ENV: 'production', DEMO: '1' });
    running.add(server);
    return server;
  };
  const stop = async (server: ServerProcess, signal: NodeJS.Signals) => {
    running.delete(server);
    return server.stop(signal);
  };
  try {
    let [first, second] = await Promise.all([start(), start()]);
    const freshMs = Math.max(first.readyMs, second.readyMs);
    const token = await signIn(first);
    const panel = await openLiveClient(second.url, { token, office: npi });

    const heardMs: number[] = [];
    for (let i = 0; i < checkIns; i++) {
      const heard = panel.nextHint(10_000);
      const from = performance.now();
      await checkIn(first, i);
      if ((await heard) !== null) heardMs.push(performance.now() - from);
    }
    panel.close();

    const before = await queue(first, token);
    await stop(first, 'SIGKILL');
    const whileGone = await queue(second, token);
    first = await start();
    const backMs = first.readyMs;
    const after = await queue(first, token);

    await Promise.all([stop(first, 'SIGKILL'), stop(second, 'SIGKILL')]);
    await killPostgres(dataDir);
    first = await start();
    const fromNothingMs = first.readyMs;
    second = await start();
    const afterAll = await queue(second, token);
    const ledger = await ledgerOf(dataDir);
    const codes = [await stop(first, 'SIGTERM'), await stop(second, 'SIGTERM')];

    const same = [whileGone, after, afterAll].filter((list) => list === before).length;
    return [
      {
        what: 'check-in in one process → panel in the other',
        figure: `${heardMs.length} of ${checkIns} heard, slowest ${ms(Math.max(...heardMs))}`,
        beside: 'one data folder, nothing configured',
        aim: 'all',
        met: heardMs.length === checkIns,
      },
      {
        what: 'queue after kill -9 of one, of one and again, of both',
        figure: `${same} of 3 as before`,
        beside: `${JSON.parse(before).length} visits`,
        aim: '3 of 3',
        met: same === 3,
      },
      {
        what: 'ready: fresh folder, after kill -9 of one, after kill -9 of both and PostgreSQL',
        figure: [freshMs, backMs, fromNothingMs].map(ms).join(', '),
        beside: '',
        aim: '',
        met: null,
      },
      ledger,
      {
        what: 'SIGTERM to both',
        figure: `exit codes ${codes.join(', ')}`,
        beside: '',
        aim: '0, 0',
        met: codes.every((code) => code === 0),
      },
    ];
  } finally {
    for (const server of running) await server.stop('SIGKILL');
    await killPostgres(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The demo's copays, after all of that. */
async function ledgerOf(dataDir: string): Promise<Line> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  const owner = openDb(openOwnerPool(postgres.url));
  try {
    return await checkMoneyLedger(owner);
  } finally {
    await owner.destroy();
    await postgres.release();
  }
}

async function signIn({ url }: ServerProcess): Promise<string> {
  const email = 'front@maple.test';
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/api/sign-in/code', { email });
  const sent = (await (await fetch(`${url}/dev/outbox.json?to=${email}`)).json()) as { body: string }[];
  const code = /\b\d{6}\b/.exec(sent[0]?.body ?? '')?.[0];
  const { token } = (await (await post('/api/sign-in/verify', { email, code, bearer: true })).json()) as {
    token?: string;
  };
  if (!token) throw new Error('nobody could sign in');
  return token;
}

async function checkIn({ url }: ServerProcess, n: number): Promise<void> {
  const phone = `+1303555${String(1000 + n)}`;
  const body = {
    firstName: `Drill ${n}`,
    lastName: 'Patient',
    phone,
    birthDate: '1990-01-01',
    household: [],
    language: 'en',
  };
  const answer = await fetch(`${url}/api/checkin/${npi}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`check-in answered ${answer.status}`);
}

/** Kills the database of a data folder with -9, if one runs there. */
export async function killPostgres(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  try {
    for (process.kill(pid, 'SIGKILL'); ; await sleep(20)) process.kill(pid, 0);
  } catch {
    // It has already ended.
  }
}

/** The queue as one text: patients, states and order. */
async function queue({ url }: ServerProcess, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/virtual-queue/doctor`, { headers: { authorization: `Bearer ${token}` } });
  const list = (await answer.json()) as { id: string; statusCode: string; version: number; patientName: string }[];
  return JSON.stringify(list.map(({ id, statusCode, version, patientName }) => [id, statusCode, version, patientName]));
}
