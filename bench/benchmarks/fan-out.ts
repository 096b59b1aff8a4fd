import { setTimeout as sleep } from 'node:timers/promises';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { openLiveClient, type LiveClient } from '#testing/app/live-client.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase, type StartedServer } from '#bench/ground/open-ground.ts';

const officeCount = 200;
const panelsEach = 5;
const arrivals = 400;

/** Check-in commit → event in 1,000 panels of 200 offices on 2 processes, and nothing missed across a PostgreSQL restart. */
export async function fanOut(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const offices = await addOffices(ground, officeCount, 0);
    const servers = [await ground.server(), await ground.server()];
    const panels = await openPanels(offices, servers);

    const late: number[] = [];
    let missed = 0;
    for (let i = 0; i < arrivals; i++) {
      const office = offices[(i * 37) % officeCount] as BenchOffice;
      const waiting = panels.filter((panel) => panel.office === office).map((panel) => panel.next());
      const committed = await checkIn(ground, office, i);
      for (const heard of await Promise.all(waiting)) {
        if (heard === null) missed++;
        else late.push(heard - committed);
      }
    }

    const refetched = Promise.all(panels.map((panel) => panel.next(30_000)));
    await ground.restartDatabase();
    const back = (await refetched).filter((heard) => heard !== null).length;
    await sleep(500);
    const after = panels.filter((panel) => panel.office === offices[0]).map((panel) => panel.next());
    await checkIn(ground, offices[0] as BenchOffice, arrivals);
    const heardAfter = (await Promise.all(after)).filter((heard) => heard !== null).length;
    for (const panel of panels) panel.client.close();

    const p99 = percentile(late, 99);
    const expected = arrivals * panelsEach;
    return [
      {
        what: `check-in commit → event in ${panels.length} panels, 2 processes`,
        figure: `p99 ${ms(p99)}, median ${ms(percentile(late, 50))}`,
        beside: `${expected} events`,
        aim: '≤ 50 ms',
        met: p99 <= 50,
      },
      { what: 'events missed', figure: `${missed} of ${expected}`, beside: '', aim: '0', met: missed === 0 },
      {
        what: 'PostgreSQL restarted: panels told to refetch, then heard again',
        figure: `${back} of ${panels.length}, ${heardAfter} of ${panelsEach}`,
        beside: '',
        aim: 'all',
        met: back === panels.length && heardAfter === panelsEach,
      },
    ];
  } finally {
    await ground.close();
  }
}

interface Panel {
  office: BenchOffice;
  client: LiveClient;
  /** When the next hint arrives; null on a timeout. */
  next(patienceMs?: number): Promise<number | null>;
}

async function openPanels(offices: BenchOffice[], servers: StartedServer[]): Promise<Panel[]> {
  const panels: Panel[] = [];
  for (const [i, office] of offices.entries()) {
    const opened = Array.from({ length: panelsEach }, (_, n) =>
      openPanel(office, (servers[(i + n) % servers.length] as StartedServer).url),
    );
    panels.push(...(await Promise.all(opened)));
  }
  return panels;
}

async function openPanel(office: BenchOffice, url: string): Promise<Panel> {
  const client = await openLiveClient(url, { office: office.id, token: office.token });
  return {
    office,
    client,
    next: async (patienceMs) => ((await client.nextHint(patienceMs)) === null ? null : performance.now()),
  };
}

/** One arrival through the real function; returns the time just before its COMMIT is sent, so that the commit is included. */
async function checkIn(ground: BenchDatabase, office: BenchOffice, n: number): Promise<number> {
  const scope = officeScope(ground.services, office.id, { kind: 'patient', id: null, name: null }, 'bench');
  return scope.transaction(async (tx) => {
    await arrive(tx, scope, {
      firstName: 'Ava',
      lastName: `Arrival ${n}`,
      birthDate: '1990-01-01',
      household: [],
      language: 'en',
      phone: `+1646${String(5_550_000 + n)}`,
    });
    return performance.now();
  });
}
