import { listQueue, listQueueChanges, moveVisit } from '#contract/queue.ts';
import { kB, median, ms, type Line } from '#bench/ground/report-lines.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const visitCount = 500;
const panelCount = 20;
const hints = 30;

/** What one hint costs with 20 panels on a queue of 500 visits: each reads what changed, compared with each reading the whole queue. */
export async function queueHints(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const [office] = (await addOffices(ground, 1, visitCount)) as [BenchOffice];
    const server = await ground.server();
    const desk = openDesk(server.url, office);
    const visits = (await desk.whole()).json as { id: string; statusCode: string }[];
    if (visits.length !== visitCount) throw new Error(`the queue answers ${visits.length} visits, not ${visitCount}`);
    const moving = visits.filter(({ statusCode }) => statusCode === 'WAITING');

    const before: Cost[] = [];
    const now: Cost[] = [];
    let since = versionOf(await desk.changes());
    for (let i = 0; i < hints; i++) {
      const { id } = moving[Math.floor(i / 2) % moving.length] as { id: string };
      await desk.move(id, i % 2 === 0 ? 'DOCTOR_CANCELLED' : 'BACK');
      // The first to ask of either way makes PostgreSQL put the answer together, so the order changes each time.
      const readAll = async () => void before.push(await readBy(panelCount, () => desk.whole()));
      const readChanges = async () => void now.push(await readBy(panelCount, () => desk.changes(since)));
      for (const read of i % 4 < 2 ? [readAll, readChanges] : [readChanges, readAll]) await read();
      since = versionOf(await desk.changes(since));
    }
    const figure = (costs: Cost[], of: keyof Cost) => median(costs.map((cost) => cost[of]));
    const bytes = figure(before, 'bytes') / figure(now, 'bytes');
    const time = figure(before, 'took') / figure(now, 'took');
    return [
      {
        what: `bytes per hint, ${visitCount} visits, ${panelCount} panels`,
        figure: `${kB(figure(now, 'bytes'))} = 1/${Math.round(bytes)} of the whole`,
        beside: kB(figure(before, 'bytes')),
        aim: '≤ 1/20',
        met: bytes >= 20,
      },
      {
        what: 'time to answer them one after another',
        figure: `${ms(figure(now, 'took'))} = 1/${Math.round(time)} of the whole`,
        beside: ms(figure(before, 'took')),
        aim: '≤ 1/20',
        met: time >= 20,
      },
    ];
  } finally {
    await ground.close();
  }
}

interface Cost {
  bytes: number;
  took: number;
}

interface Answer {
  bytes: number;
  json: unknown;
}

/** The panels read in turn, so that the time is the server's. */
async function readBy(panels: number, read: () => Promise<Answer>): Promise<Cost> {
  const from = performance.now();
  let bytes = 0;
  for (let i = 0; i < panels; i++) bytes += (await read()).bytes;
  return { bytes, took: performance.now() - from };
}

const versionOf = ({ json }: Answer) => (json as { version: string }).version;

function openDesk(url: string, office: BenchOffice) {
  const headers = { authorization: `Bearer ${office.token}`, 'x-office': office.id };
  const read = async (path: string): Promise<Answer> => {
    const answer = await fetch(`${url}/api${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    const body = await answer.text();
    return {
      bytes: Buffer.byteLength(body),
      get json(): unknown {
        return JSON.parse(body);
      },
    };
  };
  return {
    whole: () => read(listQueue.path),
    changes: (since?: string) => read(`${listQueueChanges.path}${since ? `?since=${since}` : ''}`),
    async move(id: string, action: 'DOCTOR_CANCELLED' | 'BACK') {
      const body = JSON.stringify({ id, action });
      const answer = await fetch(`${url}/api${moveVisit.path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      if (!answer.ok) throw new Error(`a move: ${answer.status}`);
    },
  };
}
