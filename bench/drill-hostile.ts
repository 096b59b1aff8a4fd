import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Questionnaire } from '#contract/forms/questionnaire.ts';
import { addOwnForm } from '#server/features/forms/definitions.ts';
import { definitionOf } from '#server/features/forms/index.ts';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/context.ts';
import { asOffice } from '#server/kit/db.ts';
import { arrivalAnswers, arrivalForm, asked } from '#testing/forms.ts';
import { hostileQuestionnaires } from '#testing/hostile-questionnaires.ts';
import { startProcess, type ServerProcess } from '#testing/process.ts';
import { ms, percentile, ratio, type Line } from './lines.ts';
import { addOffices, type BenchOffice } from './offices.ts';
import { openGround, type Ground } from './setup.ts';

/** A ratio of two times of a few milliseconds is noise, so this much more is allowed whatever the ratio is. */
const noiseMs = 5;
const mostRatio = 1.5;

interface Sizes {
  /** Seconds of undisturbed reading before and after each attack, and of each flood. */
  seconds: number;
  slowPhones: number;
}

/**
 * Strangers attack a production process with questionnaires, saves and slow connections while the desk of another office reads its queue. The
 * desk's p95 is compared with its own p95 just before and after the attack. The process must survive and end at SIGTERM.
 */
export async function drillHostile({ seconds, slowPhones }: Sizes): Promise<Line[]> {
  const ground = await openGround();
  const server = await startProcess(ground.appUrl, {
    NODE_ENV: 'production',
    MIGRATE_DATABASE_URL: ground.url,
    TRUST_PROXY: '127.0.0.1',
  });
  try {
    const [desk, ...strangers] = await addOffices(ground, 4, 20);
    if (!desk) throw new Error('no office');
    const lines = [
      await disturbed(server, desk, seconds, 'ten hostile questionnaires', () => loadHostile(server, strangers)),
      await disturbed(server, desk, seconds, 'hostile forms that are submitted', () =>
        submitHostile(ground, server, strangers, desk),
      ),
      await disturbed(server, desk, seconds, 'eight anonymous connections that save 190 kB at full speed', () =>
        flood(ground, server, strangers, seconds),
      ),
      await disturbed(server, desk, seconds, `${slowPhones} phones that send a byte every 100 ms`, () =>
        slowBodies(server, slowPhones, seconds),
      ),
    ];
    const ending = loadHostile(server, strangers).catch(() => ({ note: '', isMet: true }));
    await sleep(500);
    const from = performance.now();
    const code = await Promise.race([server.stop('SIGTERM'), sleep(30_000, 'no end in 30 s')]);
    const endedMs = performance.now() - from;
    await ending;
    return [
      ...lines,
      {
        what: 'SIGTERM while questionnaires are judged',
        figure: `exit code ${String(code)}`,
        beside: `after ${ms(endedMs)}`,
        aim: '0',
        met: code === 0,
      },
    ];
  } finally {
    await server.stop('SIGKILL').catch(() => null);
    await ground.close();
  }
}

interface Attack {
  /** What came of it. */
  note: string;
  isMet: boolean;
}

/** The desk's p95 while an attack runs, beside its p95 just before and after. */
async function disturbed(
  server: ServerProcess,
  desk: BenchOffice,
  seconds: number,
  what: string,
  attack: () => Promise<Attack>,
): Promise<Line> {
  const before = await readQueue(server, desk, sleep(seconds * 1000));
  const attacking = attack();
  const during = await readQueue(server, desk, attacking);
  const { note, isMet } = await attacking;
  const after = await readQueue(server, desk, sleep(seconds * 1000));
  const [p95Alone, p95] = [percentile([...before.tookMs, ...after.tookMs], 95), percentile(during.tookMs, 95)];
  // Over a few seconds beside other work on two cores a ratio says little: the short run takes up to 150 ms for good.
  const allowedMs = seconds < 10 ? 150 : 0;
  const isFast = p95 <= Math.max(p95Alone * mostRatio, p95Alone + noiseMs, allowedMs);
  return {
    what: `a desk's queue read beside ${what}: p95`,
    figure: `${ms(p95)} = ${ratio(p95 / p95Alone)}`,
    beside: `${ms(p95Alone)} before and after, slowest ${ms(Math.max(...during.tookMs))}, ${during.failed} of ${during.tookMs.length} failed; ${note}`,
    aim: `≤ ${mostRatio}x or +${noiseMs} ms${allowedMs > 0 ? ` or ${allowedMs} ms` : ''}, 0 failed`,
    met: isFast && during.failed === 0 && isMet,
  };
}

async function readQueue({ url }: ServerProcess, desk: BenchOffice, until: Promise<unknown>) {
  const headers = { authorization: `Bearer ${desk.token}`, 'x-office': desk.id };
  const tookMs: number[] = [];
  let failed = 0;
  let isOver = false;
  void until.catch(() => undefined).finally(() => (isOver = true));
  while (!isOver) {
    const from = performance.now();
    const status = await fetch(`${url}/api/virtual-queue/doctor`, { headers }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
    tookMs.push(performance.now() - from);
    if (status !== 200) failed += 1;
    await sleep(10);
  }
  return { tookMs, failed };
}

/** Ten files, by three offices at once. Each is answered: judged, or refused with a time to try again. */
async function loadHostile({ url }: ServerProcess, strangers: BenchOffice[]): Promise<Attack> {
  const texts = Object.values(hostileQuestionnaires).map((make) => JSON.stringify(make()));
  const from = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      const { id, token } = strangers[i % strangers.length] as BenchOffice;
      const answer = await fetch(`${url}/api/office/forms`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-office': id, 'content-type': 'application/json' },
        body: JSON.stringify({ text: texts[i % texts.length], check: true }),
      });
      const { findings } = (await answer.json()) as { findings?: unknown[] };
      return findings || (answer.status === 503 && answer.headers.has('retry-after')) ? answer.status : 0;
    }),
  );
  const judged = statuses.filter((status) => status === 200).length;
  return {
    note: `${judged} judged and ${statuses.length - judged} refused in ${ms(performance.now() - from)}`,
    isMet: !statuses.includes(0) && judged > 0,
  };
}

interface Phone {
  place: string;
  definitionId: string;
}

/** A phone that has a form to fill in. The form is stored as if it had been loaded before there were limits. */
async function phoneWith(
  { house }: Ground,
  { url }: ServerProcess,
  { id: officeId, personId, token: staffToken }: BenchOffice,
  questionnaire: Questionnaire,
  phone: string,
): Promise<Phone> {
  const definition = definitionOf(questionnaire);
  const given = { officeId, id: house.id(), at: house.now(), by: personId };
  await asOffice(house.db, officeId, (tx) => addOwnForm(tx, given, definition));
  await fetch(`${url}/api/office/forms`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${staffToken}`, 'x-office': officeId, 'content-type': 'application/json' },
    body: JSON.stringify({ forms: [asked(definition.type)] }),
  });
  const scope = officeScope(house, officeId, { kind: 'patient', id: null, name: null }, 'drill');
  const { token } = await scope.transaction((tx) =>
    arrive(tx, scope, {
      firstName: 'Ada',
      lastName: 'Byron',
      birthDate: '1990-12-10',
      household: [],
      language: 'en',
      phone,
    }),
  );
  const list = await fetch(`${url}/api/visit/${token}/forms`);
  const { members } = (await list.json()) as {
    members: { memberId: string; forms: { formType: string; definitionId: string }[] }[];
  };
  const form = members[0]?.forms.find(({ formType }) => formType === definition.type);
  if (!form) throw new Error(`the phone is not asked for ${definition.type}`);
  return {
    place: `${url}/api/visit/${token}/forms/${members[0]?.memberId}/${definition.type}`,
    definitionId: form.definitionId,
  };
}

const json = (method: 'PUT' | 'POST', body: unknown, network: string): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
  body: JSON.stringify(body),
});

const save = ({ place, definitionId }: Phone, answers: Record<string, unknown>, network: string) =>
  fetch(place, json('PUT', { definitionId, version: 0, page: 0, answers }, network));
const submit = ({ place }: Phone, network: string) => fetch(`${place}/submit`, json('POST', { version: 1 }, network));

/** Strangers' patients submit forms that never end, again and again; a patient of the desk's office submits hers in between. */
async function submitHostile(
  ground: Ground,
  server: ServerProcess,
  strangers: BenchOffice[],
  desk: BenchOffice,
): Promise<Attack> {
  const names = ['FHIRPath of four loops', 'a list doubled 26 times'] as const;
  const phones = await Promise.all(
    names.map(async (name, i) => {
      const office = strangers[i] as BenchOffice;
      const questionnaire = hostileQuestionnaires[name]?.() as Questionnaire;
      const phone = await phoneWith(ground, server, office, questionnaire, `+1212555015${i}`);
      await save(phone, { q: [1] }, `198.51.100.${i}`);
      return phone;
    }),
  );
  const patient = await phoneWith(ground, server, desk, arrivalForm, '+12125550160');
  await save(patient, arrivalAnswers, '203.0.113.9');
  const hostile = Promise.all(phones.flatMap((phone, i) => [1, 2].map(() => submit(phone, `198.51.100.${i}`))));
  await sleep(200);
  const from = performance.now();
  const good = await submit(patient, '203.0.113.9');
  const tookMs = performance.now() - from;
  const refused = await hostile;
  const areRefused = refused.every(({ status }) => status === 422 || status === 503);
  return {
    note: `a patient of the desk's office submitted (${good.status}) in ${ms(tookMs)}, ${refused.length} hostile submissions refused`,
    isMet: good.status === 200 && areRefused,
  };
}

/** Eight connections of one network save as fast as they are answered. */
async function flood(
  ground: Ground,
  server: ServerProcess,
  [stranger]: BenchOffice[],
  seconds: number,
): Promise<Attack> {
  const phone = await phoneWith(ground, server, stranger as BenchOffice, arrivalForm, '+12125550170');
  const body = { definitionId: phone.definitionId, version: 0, page: 0, answers: { reason: ['x'.repeat(190_000)] } };
  const request = json('PUT', body, '192.0.2.7');
  const statuses = new Map<number, number>();
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < until) {
        const { status } = await fetch(phone.place, request).then(
          async (answer) => (await answer.arrayBuffer(), answer),
          () => ({ status: 0 }),
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  const known = [200, 409, 429, 503];
  return {
    note: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
    isMet: [...statuses.keys()].every((status) => known.includes(status)),
  };
}

/** Phones that announce a body and send it byte by byte. */
async function slowBodies({ port }: ServerProcess, count: number, seconds: number): Promise<Attack> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `PUT /api/visit/${'A'.repeat(32)}/forms/019f1111-1111-7111-8111-111111111111/arrival HTTP/1.1\r\n` +
        'host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 150000\r\n\r\n',
    );
    return socket;
  });
  const dribble = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('[');
  }, 100);
  await sleep(seconds * 1000);
  clearInterval(dribble);
  const open = sockets.filter(({ writable }) => writable).length;
  for (const socket of sockets) socket.destroy();
  return { note: `${open} still open at the end`, isMet: true };
}
