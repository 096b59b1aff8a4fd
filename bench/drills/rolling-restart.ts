import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startProcess, type ServerProcess } from '#testing/app/process.ts';
import { compareWritten, startDesks } from '#bench/ground/desks.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { haproxy, startProxy } from './haproxy.ts';
import { checkMoneyLedger } from './money-ledger.ts';

const callers = 12;

/**
 * Two processes behind HAProxy, restarted one after the other while desks write and poll: no call fails, and each write is in the database
 * exactly once. Skipped without HAProxy. `rough` kills instead: then the drill must see failures.
 */
export async function drillRolling({ rounds, rough }: { rounds: number; rough: boolean }): Promise<Line[]> {
  if (!haproxy) {
    process.stdout.write('skipped: rolling restart of two processes (no haproxy)\n');
    return [];
  }
  const ground = await openBenchDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-haproxy-'));
  const ports = [await freePort(), await freePort()] as const;
  const start = (port: number) =>
    startProcess(ground.url, {
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: folder,
      DRAIN_SECONDS: '2',
      TRUST_PROXY: '127.0.0.1',
    });
  const servers: ServerProcess[] = await Promise.all(ports.map(start));
  const front = await startProxy(haproxy, folder, ports);
  try {
    const offices = await addOffices(ground, callers, 3);
    await Promise.all(ports.map((_, i) => front.sees(i)));
    const desks = startDesks([front.url], offices, ground.owner);
    await sleep(1_000);
    const codes: (number | null)[] = [];
    for (let round = 0; round < rounds; round++)
      for (const [i, port] of ports.entries()) {
        codes.push((await servers[i]?.stop(rough ? 'SIGKILL' : 'SIGTERM')) ?? null);
        servers[i] = await start(port);
        await front.sees(i);
      }
    await sleep(500);
    const { calls, written, refused, failures: broken, tookMs } = await desks.stop();
    const failures = [...broken, ...Array<string>(refused).fill('503')];
    const { rows, twice, lost } = await compareWritten(ground, written);
    return [
      {
        what: `rolling restart of two processes, ${codes.length} restarts under load: failed`,
        figure: `${failures.length} of ${calls.toLocaleString('en')} calls`,
        beside:
          failures.slice(0, 3).join('; ') || `p99 ${ms(percentile(tookMs, 99))}, slowest ${ms(Math.max(...tookMs))}`,
        aim: rough ? 'some' : '0',
        met: rough ? failures.length > 0 : failures.length === 0,
      },
      {
        what: 'executed twice, or lost',
        figure: `${twice} twice, ${lost} lost`,
        beside: `${written.length.toLocaleString('en')} messages acknowledged, ${rows.toLocaleString('en')} in the database`,
        aim: '0, 0',
        met: twice === 0 && lost === 0,
      },
      {
        what: 'the processes ended by themselves',
        figure: `exit codes ${codes.join(', ')}`,
        beside: '',
        aim: rough ? '' : 'all 0',
        met: rough ? null : codes.every((code) => code === 0),
      },
      await checkMoneyLedger(ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    front.stop();
    for (const server of servers) await server.stop('SIGKILL').catch(() => null);
    await ground.close();
    await rm(folder, { recursive: true, force: true });
  }
}
