import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { startProcess } from '#testing/process.ts';
import { compareWritten, startDesks } from './desks.ts';
import { ms, type Line } from './lines.ts';
import { addOffices } from './offices.ts';
import { openGround } from './setup.ts';

const desksAtWork = 12;

/**
 * PostgreSQL killed and started again under load, `times` in a row: the processes live on, each call is done or answers 503 with
 * Retry-After, what was acknowledged is there, screens are told to look again.
 */
export async function drillDatabase({ times }: { times: number }): Promise<Line[]> {
  const ground = await openGround();
  const start = () => startProcess(ground.url, { NODE_ENV: 'production', DRAIN_SECONDS: '0' });
  const servers = await Promise.all([start(), start()]);
  try {
    const offices = await addOffices(ground, desksAtWork, 3);
    const panels = offices.map(({ token, id }, i) => {
      const socket = io(servers[i % 2]?.url ?? '', { transports: ['websocket'], auth: { token, office: id } });
      const panel = { socket, refetched: 0 };
      socket.on('updates', ({ type }: { type: string }) => void (panel.refetched += type === 'refetch' ? 1 : 0));
      return panel;
    });
    await Promise.all(panels.map(({ socket }) => new Promise<void>((done) => socket.once('connect', () => done()))));

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
    const told = panels.filter(({ refetched }) => refetched >= times).length;
    for (const { socket } of panels) socket.disconnect();
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
        figure: `${told} of ${panels.length}`,
        beside: '',
        aim: 'all',
        met: told === panels.length,
      },
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
