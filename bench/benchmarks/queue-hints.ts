import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { listQueue, listQueueChanges, moveVisit } from '#contract/queue.ts';
import { demoOffices } from '#db/seed/offices.ts';
import { kB, median, ms, type Line } from '#bench/ground/report-lines.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const visitCount = 500;
const panelCount = 20;
const hints = 60;
/** Milliseconds. */
const settling = 100;

/** What one hint costs with 20 panels on a queue of 500 visits: each reads what changed, compared with each reading the whole queue, as they did before. */
export async function queueHints(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    // With the forms that the demo office asks for, an entry has the 2.6 kB of a working day.
    const settings = demoOffices[0]?.office.settings;
    const [office] = (await addOffices(ground, 1, visitCount, settings)) as [BenchOffice];
    const server = await ground.server();
    const before = await ground.script('bench/ground/raw-server.ts', { OFFICE_ID: office.id, TOKEN: office.token });
    const desk = openDesk(server.url, before.url, office);
    const visits = (await desk.whole()).json as { id: string; statusCode: string }[];
    if (visits.length !== visitCount) throw new Error(`the queue answers ${visits.length} visits, not ${visitCount}`);
    const moving = visits.filter(({ statusCode }) => statusCode === 'WAITING');

    const whole: Cost[] = [];
    const changed: Cost[] = [];
    let since = versionOf(await desk.changes());
    for (let i = 0; i < hints; i++) {
      const { id } = moving[Math.floor(i / 2) % moving.length] as { id: string };
      await desk.move(id, i % 2 === 0 ? 'DOCTOR_CANCELLED' : 'BACK');
      // Each hint is read in one way, so that the first panel makes PostgreSQL put the answer together. What the other way left to clean up
      // is not on its account.
      await setTimeout(settling);
      if (i % 4 < 2) whole.push(await readBy(panelCount, () => desk.reread()));
      else changed.push(await readBy(panelCount, () => desk.changes(since)));
      since = versionOf(await desk.changes(since));
    }
    const figure = (costs: Cost[], of: keyof Cost) => median(costs.map((cost) => cost[of]));
    const bytes = figure(whole, 'bytes') / figure(changed, 'bytes');
    const time = figure(whole, 'took') / figure(changed, 'took');
    return [
      {
        what: `bytes per hint, ${visitCount} visits, ${panelCount} panels`,
        figure: `${kB(figure(changed, 'bytes'))} = 1/${Math.round(bytes)} of the whole`,
        beside: kB(figure(whole, 'bytes')),
        aim: '≤ 1/20',
        met: bytes >= 20,
      },
      {
        what: 'time until all of them are answered',
        figure: `${ms(figure(changed, 'took'))} = 1/${Math.round(time)} of the whole`,
        beside: ms(figure(whole, 'took')),
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

/** All panels have got the hint and ask at once; until the last one has its answer. */
async function readBy(panels: number, read: () => Promise<Answer>): Promise<Cost> {
  const from = performance.now();
  const answers = await Promise.all(Array.from({ length: panels }, read));
  return { took: performance.now() - from, bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const versionOf = ({ json }: Answer) => (json as { version: string }).version;

function openDesk(url: string, before: string, office: BenchOffice) {
  const headers = { authorization: `Bearer ${office.token}`, 'x-office': office.id };
  // The platform's own client: fetch takes longer to read an answer than the server takes to give it.
  const agent = new Agent({ keepAlive: true });
  const read = (address: string) =>
    new Promise<Answer>((resolve, reject) => {
      get(address, { agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode !== 200) return reject(new Error(`${address}: ${answer.statusCode}`));
          const body = Buffer.concat(chunks);
          resolve({
            bytes: body.length,
            get json(): unknown {
              return JSON.parse(body.toString());
            },
          });
        });
      }).on('error', reject);
    });
  return {
    whole: () => read(`${url}/api${listQueue.path}`),
    reread: () => read(`${before}/reread`),
    changes: (since?: string) => read(`${url}/api${listQueueChanges.path}${since ? `?since=${since}` : ''}`),
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
