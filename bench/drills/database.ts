import { setTimeout as sleep } from 'node:timers/promises';
import { openLiveClient } from '#testing/app/live-client.ts';
import { startProcess } from '#testing/app/process.ts';
import { compareWritten, startDesks } from '#bench/ground/desks.ts';
import { ms, type Line } from '#bench/ground/report-lines.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { checkMoneyLedger } from './money-ledger.ts';

const desksAtWork = 12;

/**
 * Kills and restarts PostgreSQL under load, `times` in a row: the processes survive, each call succeeds or answers 503 with Retry-After,
 * acknowledged writes are there, and screens are told to refetch.
 */
export async function drillDatabase({ times }: { times: number }): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const start = () => startProcess(ground.url, { NODE_ENV: 'production', DRAIN_SECONDS: '0' });
  const servers = await Promise.all([start(), start()]);
  try {
    const offices = await addOffices(ground, desksAtWork, 3);
    const panels = await Promise.all(
      offices.map(({ token, id }, i) => openLiveClient(servers[i % 2]?.url ?? '', { token, office: id })),
    );

    const urls = servers.map(({ url }) => url);
    const desks = startDesks(urls, offices, ground.owner);
    const healthyMs: number[] = [];
    for (let i = 0; i < times; i++) {
      await sleep(1_500);
      await ground.restartDatabase();
      const answers = performance.now();
      await Promise.all(urls.map(healthy));
      healthyMs.push(performance.now() - answers);
    }
    await sleep(1_500);
    const { calls, written, refused, failures } = await desks.stop();
    const { rows, twice, lost } = await compareWritten(ground, written);
    const refetched = panels.filter(
      ({ hints }) => hints.filter(({ type }) => type === 'refetch').length >= times,
    ).length;
    for (const panel of panels) panel.close();
    const alive = servers.filter(({ pid }) => process.kill(pid, 0)).length;
    return [
      {
        what: `PostgreSQL killed and started ${times} times under load: calls that failed in another way than 503`,
        figure: `${failures.length} of ${calls.toLocaleString('en')}`,
        beside: failures.slice(0, 3).join('; ') || `${refused} answered 503 with Retry-After`,
        aim: '0',
        met: failures.length === 0,
      },
      {
        what: 'processes that lived on',
        figure: `${alive} of 2`,
        beside: '',
        aim: '2',
        met: alive === 2,
      },
      {
        what: 'healthy again after the database answers',
        figure: `slowest ${ms(Math.max(...healthyMs))}`,
        beside: '',
        aim: '≤ 5 s',
        met: Math.max(...healthyMs) <= 5_000,
      },
      {
        what: 'acknowledged and lost, or executed twice',
        figure: `${lost} lost, ${twice} twice`,
        beside: `${written.length.toLocaleString('en')} acknowledged, ${rows.toLocaleString('en')} in the database`,
        aim: '0, 0',
        met: lost === 0 && twice === 0,
      },
      {
        what: 'panels told to look again, each time',
        figure: `${refetched} of ${panels.length}`,
        beside: '',
        aim: 'all',
        met: refetched === panels.length,
      },
      await checkMoneyLedger(ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    for (const server of servers) await server.stop('SIGKILL');
    await ground.close();
  }
}

async function healthy(url: string): Promise<void> {
  const ready = () => fetch(`${url}/readyz`).then((answer) => answer.ok);
  while (!(await ready().catch(() => false))) await sleep(20);
}
