import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openLiveClient } from '#testing/app/live-client.ts';
import { startProcess } from '#testing/app/process.ts';
import { openTwilio } from '#testing/stand-ins/twilio.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, type Line } from '#bench/ground/report-lines.ts';
import { missingForCluster, startCluster, type Cluster } from './patroni.ts';

const desksAtWork = 8;
const backWithinMs = 10_000;
const pauseMs = 150;

interface Failover {
  rounds: number;
  /** Desks repeat a call without its Idempotency-Key: then the drill must see messages twice. */
  keyless: boolean;
}

/**
 * Three PostgreSQL servers under Patroni; the primary is killed with -9 again and again while desks write, every second time after a standby
 * has stalled. Desks repeat each call with its Idempotency-Key until it is answered, at the other process in turn.
 */
export async function drillFailover({ rounds, keyless }: Failover): Promise<Line[]> {
  const missing = missingForCluster();
  if (missing !== undefined) {
    process.stdout.write(`skipped: failover of PostgreSQL under Patroni (${missing})\n`);
    return [];
  }
  const cluster = await startCluster();
  const before = process.env.TEST_DATABASE_URL;
  process.env.TEST_DATABASE_URL = cluster.url;
  const carrier = await openTwilio({ now: () => new Date() });
  try {
    const ground = await openBenchDatabase();
    try {
      return await failOver(ground, cluster, carrier, { rounds, keyless });
    } finally {
      await ground.close();
    }
  } finally {
    if (before === undefined) delete process.env.TEST_DATABASE_URL;
    else process.env.TEST_DATABASE_URL = before;
    await carrier.close();
    await cluster.stop();
  }
}

type Carrier = Awaited<ReturnType<typeof openTwilio>>;

async function failOver(ground: BenchDatabase, cluster: Cluster, carrier: Carrier, { rounds, keyless }: Failover) {
  const env = {
    NODE_ENV: 'production',
    DRAIN_SECONDS: '0',
    PUBLIC_URL: 'https://drill.example.org',
    ...carrier.env,
  };
  const servers = await Promise.all([startProcess(ground.url, env), startProcess(ground.url, env)]);
  try {
    const offices = await addOffices(ground, desksAtWork, 3);
    const urls = servers.map(({ url }) => url);
    const panels = await Promise.all(
      offices.map(({ token, id }, i) => openLiveClient(urls[i % 2] ?? '', { token, office: id })),
    );
    const desks = startRetryingDesks(ground, urls, offices, { keyless });
    await sleep(1_000);
    const backMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await cluster.untilWhole();
      await sleep(1_000);
      const goOn = round % 2 === 1 ? await cluster.stallStandby() : null;
      if (goOn) await sleep(900);
      const killedAt = await cluster.killPrimary();
      if (goOn) setTimeout(goOn, 1_500);
      backMs.push((await desks.answeredAfter(killedAt)) - killedAt);
    }
    await sleep(1_000);
    const { written, refused, failures } = await desks.stop();
    const texts = await textsTaken(ground, carrier);
    const { rows } = await sql<{ body: string }>`select body from message where body like 'desk %'`.execute(
      ground.owner,
    );
    const bodies = new Set(rows.map(({ body }) => body));
    const twice = rows.length - bodies.size;
    const lost = written.filter((body) => !bodies.has(body)).length;
    const textsLost = written.filter((body) => !texts.taken.has(body)).length;
    const textsTwice = [...texts.taken.values()].filter((times) => times > 1).length;
    const kept = panels.filter(({ isOpen }) => isOpen).length;
    for (const panel of panels) panel.close();
    return [
      {
        what: `primary killed ${rounds} times, ${Math.floor(rounds / 2)} of them with a stalled standby: writes again after`,
        figure: `slowest ${ms(Math.max(...backMs))}`,
        beside: backMs.map(ms).join(', '),
        aim: '≤ 10 s',
        met: Math.max(...backMs) <= backWithinMs,
      },
      {
        what: 'acknowledged writes lost, or executed twice',
        figure: `${lost} lost, ${twice} twice`,
        beside: `${written.length.toLocaleString('en')} acknowledged, ${refused.toLocaleString('en')} times 503 with Retry-After`,
        aim: keyless ? 'some twice' : '0, 0',
        met: keyless ? twice > 0 : lost === 0 && twice === 0,
      },
      {
        what: 'calls answered in another way than 200 and 503',
        figure: String(failures.length),
        beside: failures.slice(0, 3).join('; '),
        aim: '0',
        met: failures.length === 0,
      },
      {
        what: 'texts of acknowledged messages that the carrier did not get, or got twice',
        figure: `${textsLost} lost, ${textsTwice} twice`,
        beside: `${texts.count.toLocaleString('en')} at the carrier, ${texts.unknown} of unknown fate`,
        aim: keyless ? '' : '0, 0',
        met: keyless ? null : textsLost === 0 && textsTwice === 0,
      },
      {
        what: 'sockets of panels kept',
        figure: `${kept} of ${panels.length}`,
        beside: '',
        aim: 'all',
        met: kept === panels.length,
      },
    ];
  } finally {
    for (const server of servers) await server.stop('SIGKILL').catch(() => null);
  }
}

/** Each desk writes one message after the other, and repeats a call until it is answered with 200. */
function startRetryingDesks(
  { owner }: BenchDatabase,
  urls: readonly string[],
  offices: readonly BenchOffice[],
  { keyless }: { keyless: boolean },
) {
  let going = true;
  let refused = 0;
  const written: string[] = [];
  const failures: string[] = [];
  /** Resolved by the next answer to a call that began after a moment. */
  const waiting = new Set<{ after: number; answered: (at: number) => void }>();
  const noteAnswer = (began: number) => {
    for (const one of waiting) {
      if (began < one.after) continue;
      waiting.delete(one);
      one.answered(performance.now());
    }
  };
  /** True once the call is answered with 200; false if it has to be sent again. */
  const send = async (url: string, office: BenchOffice, path: string, init: RequestInit): Promise<Response | null> => {
    const began = performance.now();
    const headers = { authorization: `Bearer ${office.token}`, ...(init.headers as Record<string, string>) };
    const answer = await fetch(url + path, { ...init, headers }).catch((error: Error) => error);
    if (answer instanceof Error) failures.push(`${path}: ${answer.message}`);
    else if (answer.ok) {
      if (init.method === 'POST') noteAnswer(began);
      return answer;
    } else if (answer.status === 503 && Number(answer.headers.get('retry-after')) > 0) refused++;
    else if (answer.status !== 429) failures.push(`${path}: ${answer.status}`);
    return null;
  };
  const desk = async (office: BenchOffice, i: number) => {
    let list: { patientUserCode: string }[] = [];
    for (let tries = i; going && list.length === 0; tries++) {
      const answer = await send(urls[tries % urls.length] ?? '', office, '/api/virtual-queue/doctor', {});
      list = answer ? ((await answer.json()) as typeof list) : [];
    }
    for (let n = 0; going; n++) {
      const body = `desk ${office.npi} ${n}`;
      const path = `/api/onemd/api/v2/message/${list[n % list.length]?.patientUserCode}`;
      const key = randomUUID();
      for (let tries = i; ; tries++) {
        const headers = { 'content-type': 'application/json', 'idempotency-key': keyless ? randomUUID() : key };
        const init = { method: 'POST', headers, body: JSON.stringify({ body }) };
        if (await send(urls[tries % urls.length] ?? '', office, path, init)) {
          written.push(body);
          break;
        }
        if (!going) break;
        await sleep(pauseMs);
      }
      await sleep(pauseMs);
    }
  };
  const desks = Promise.all(offices.map(desk));
  // They exceed a practice's limit on texts. Limits that a call is counting right now are left alone.
  const resets = (async () => {
    for (; going; await sleep(100))
      await sql`delete from rate_limit where key in (select key from rate_limit for update skip locked)`
        .execute(owner)
        .catch(() => undefined);
  })();
  return {
    answeredAfter: (after: number) => new Promise<number>((answered) => void waiting.add({ after, answered })),
    async stop() {
      going = false;
      await Promise.all([desks, resets]);
      return { written, refused, failures };
    },
  };
}

/** What the carrier has of the desks' messages, once nothing waits to be sent. */
async function textsTaken({ owner }: BenchDatabase, { messages }: Carrier) {
  const inState = async (...states: string[]) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from text where body like '%desk %' and state = any(${states})
    `.execute(owner);
    return rows[0]?.n ?? 0;
  };
  for (let tries = 0; tries < 240 && (await inState('queued', 'sending')) > 0; tries++) await sleep(500);
  const taken = new Map<string, number>();
  for (const { body } of messages) {
    const [mark] = /desk \d+ \d+/.exec(body) ?? [];
    if (mark !== undefined) taken.set(mark, (taken.get(mark) ?? 0) + 1);
  }
  return { taken, count: messages.length, unknown: await inState('unknown') };
}
