import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '#server/kit/day.ts';
import { startProcess } from '#testing/app/process.ts';
import { resetLimits } from '#bench/ground/desks.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';

const callers = 16;
const visitsEach = 50;
const mostMegabytes = 400;
/** Growth after the start is compared between the medians of two spans of the rest. */
const toleratedGrowth = 0.1;

/**
 * Mixed load on one process for a long time: queue reads of 50 visits, moves, visit reads, forms lists. Prints the memory of the process;
 * after the first sixth of the time (five of thirty minutes) it does not grow.
 */
export async function drillSoak({ minutes }: { minutes: number }): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const offices = await addOffices(ground, callers, visitsEach);
    const server = await startProcess(ground.url, { NODE_ENV: 'production', DRAIN_SECONDS: '0' });
    await sleep(2_000);
    const atRest = residentMegabytes(server.pid);
    const load = startLoad(ground, server.url, offices);
    const samples: number[] = [];
    for (const until = Date.now() + minutes * 60_000; Date.now() < until; await sleep(1_000))
      samples.push(residentMegabytes(server.pid));
    const { calls, failures, tookMs } = await load.stop();
    await server.stop('SIGTERM');
    if (failures.length > 0) process.stdout.write(`${server.output().slice(-4_000)}\n`);
    const settled = samples.slice(Math.floor(samples.length / 6));
    const half = Math.floor(settled.length / 2);
    const [before, after] = [percentile(settled.slice(0, half), 50), percentile(settled.slice(half), 50)];
    const plateau = percentile(settled, 95);
    return [
      {
        what: `mixed load for ${minutes} min: calls that failed`,
        figure: `${failures.length} of ${calls.toLocaleString('en')}`,
        beside: failures.slice(0, 3).join('; ') || `p99 ${ms(percentile(tookMs, 99))}`,
        aim: '0',
        met: calls > 0 && failures.length === 0,
      },
      {
        what: 'resident memory of the process at the plateau',
        figure: `${Math.round(plateau)} MB`,
        beside: `${Math.round(atRest)} MB at rest, most ${Math.round(Math.max(...samples))} MB`,
        aim: `≤ ${mostMegabytes} MB`,
        met: plateau <= mostMegabytes,
      },
      {
        what: 'growth between the two halves of the rest',
        figure: `${Math.round(after - before)} MB`,
        beside: `${Math.round(before)} → ${Math.round(after)} MB`,
        aim: '≤ 10 %',
        met: after <= before * (1 + toleratedGrowth),
      },
    ];
  } finally {
    await ground.close();
  }
}

/** VmRSS of a process. */
function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** One desk of each office calls all the time. */
function startLoad({ owner }: BenchDatabase, url: string, offices: readonly BenchOffice[]) {
  let going = true;
  let calls = 0;
  const failures: string[] = [];
  const tookMs: number[] = [];
  const today = dayOf(new Date(), 'UTC');
  const call = async (office: BenchOffice, path: string, body?: object): Promise<unknown> => {
    calls++;
    const from = performance.now();
    const answer = await fetch(`${url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${office.token}`,
        'x-office': office.id,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => error);
    if (answer instanceof Error) return void failures.push(`${path}: ${answer.message}`);
    const read: unknown = await answer.json();
    if (calls % 10 === 0) tookMs.push(performance.now() - from);
    // A visit that has moved on, or a limit on texts, is an answer.
    if (answer.status >= 500) failures.push(`${path}: ${answer.status}`);
    return answer.ok ? read : null;
  };
  const desk = async (office: BenchOffice) => {
    for (let n = 0; going; n++) {
      const list = ((await call(office, '/virtual-queue/doctor')) ?? []) as { id: string; statusCode: string }[];
      const visit = list[n % list.length];
      if (!visit) continue;
      await call(office, `/virtual-queue/visit/${visit.id}`);
      const move = { WAITING: 'INVITED', INVITED: 'DOCTOR_CANCELLED' }[visit.statusCode] ?? 'BACK';
      await call(office, '/virtual-queue/', { id: visit.id, action: move });
      await call(office, '/forms/search', { startDate: today, endDate: today, page: '1' });
      await call(office, '/virtual-queue/doctor');
    }
  };
  const desks = Promise.all(offices.map(desk));
  const resets = (async () => {
    for (; going; await sleep(1_000)) await resetLimits(owner).catch(() => undefined);
  })();
  return {
    async stop() {
      going = false;
      await Promise.all([desks, resets]);
      return { calls, failures, tookMs };
    },
  };
}
