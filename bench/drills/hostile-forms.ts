import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { addOwnForm } from '#server/features/forms/definitions.ts';
import { toNewDefinition } from '#server/features/forms/index.ts';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { arrivalAnswers, arrivalForm, formSetting } from '#testing/fixtures/forms.ts';
import { hostileQuestionnaires } from '#testing/fixtures/hostile-questionnaires.ts';
import { startProcess, type ServerProcess } from '#testing/app/process.ts';
import { ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';
import type { DeskReads, ReadTimes } from './desk-reader.ts';
import type { ValuesFlood } from './values-sender.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { checkMoneyLedger } from './money-ledger.ts';

/** Ratios of a few milliseconds are noise, so this difference is always allowed. */
const noiseMs = 5;
const mostRatio = 1.5;
/** A patient of the desk's office waits at most this long for a submission while hostile ones are processed. */
const longestSubmissionMs = 10_000;

interface Sizes {
  /** Seconds of undisturbed reading before and after each attack, and of each flood. */
  seconds: number;
  slowPhones: number;
  /** A p95 up to this passes whatever the ratio is; 0 in the full run. */
  floorMs: number;
  /** All ten files are checked within this time. */
  judgeWithinMs: number;
  /** The drill ends after this time; lines not measured by then count as not met. */
  endAfterMs: number;
}

interface Drill extends Sizes {
  ground: BenchDatabase;
  server: ServerProcess;
  desk: BenchOffice;
  strangers: BenchOffice[];
  /** Aborted when the drill's time is over. */
  signal: AbortSignal;
}

/**
 * Strangers attack a production process with questionnaires, saves, reads and slow connections while the desk of another office reads its
 * queue. The desk's p95 is compared with its own p95 just before and after the attack. The process must survive and end at SIGTERM.
 */
export async function drillHostile(sizes: Sizes): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const server = await startProcess(ground.appUrl, {
    NODE_ENV: 'production',
    MIGRATE_DATABASE_URL: ground.url,
    TRUST_PROXY: '127.0.0.1',
  });
  try {
    const [desk, ...strangers] = await addOffices(ground, 6, 20);
    if (!desk) throw new Error('no office');
    const drill: Drill = { ...sizes, ground, server, desk, strangers, signal: AbortSignal.timeout(sizes.endAfterMs) };
    const lines = [
      await measureUnderAttack(drill, 'ten hostile questionnaires', loadHostile),
      await measureUnderAttack(drill, 'hostile forms that are submitted', submitHostile),
      await measureUnderAttack(drill, 'eight anonymous connections that save at full speed', floodWithSaves),
      await measureUnderAttack(drill, 'eight anonymous connections that read at full speed', floodWithReads),
      await measureUnderAttack(drill, 'eight anonymous connections that send JSON of many values', floodWithValues),
      await measureUnderAttack(drill, `${sizes.slowPhones} phones that send a byte every 100 ms`, slowBodies),
    ];
    return [...lines, await endWhileJudging(drill), await checkMoneyLedger(ground.owner, { mayBeEmpty: true })];
  } finally {
    await server.stop('SIGKILL').catch(() => null);
    await ground.close();
  }
}

interface Attack {
  /** The result of the attack. */
  note: string;
  isMet: boolean;
}

/** Prepares an attack and returns what starts it: an attacker's preparations happen on another machine. */
type Prepare = (drill: Drill) => Promise<() => Promise<Attack>>;

/** The desk's p95 while an attack runs, beside its p95 just before and after. */
async function measureUnderAttack(drill: Drill, what: string, prepare: Prepare): Promise<Line> {
  const { seconds, floorMs } = drill;
  const attack = await prepare(drill);
  const before = await readQueue(drill, sleep(seconds * 1000));
  const attacking = attack().catch((error: unknown): Attack => ({ note: String(error), isMet: false }));
  const during = await readQueue(drill, attacking);
  const { note, isMet } = await attacking;
  const after = await readQueue(drill, sleep(seconds * 1000));
  const [p95Alone, p95] = [percentile([...before.tookMs, ...after.tookMs], 95), percentile(during.tookMs, 95)];
  const isFast = p95 <= Math.max(p95Alone * mostRatio, p95Alone + noiseMs, floorMs);
  return {
    what: `a desk's queue read beside ${what}: p95`,
    figure: `${ms(p95)} = ${ratio(p95 / p95Alone)}`,
    beside: `${ms(p95Alone)} before and after, slowest ${ms(Math.max(...during.tookMs))}, ${during.failed} of ${during.tookMs.length} failed; ${note}`,
    aim: `≤ ${mostRatio}x or +${noiseMs} ms${floorMs > 0 ? ` or ${floorMs} ms` : ''}, 0 failed`,
    met: isFast && during.failed + before.failed + after.failed === 0 && isMet,
  };
}

/** Reads from a process of its own: what the attackers cost the drill itself is not the server's delay. */
async function readQueue({ server, desk, signal }: Drill, until: Promise<unknown>): Promise<ReadTimes> {
  const reader = fork(new URL('./desk-reader.ts', import.meta.url), { signal });
  const reads: DeskReads = {
    url: `${server.url}/api/virtual-queue/doctor`,
    headers: { authorization: `Bearer ${desk.token}`, 'x-office': desk.id },
  };
  reader.send(reads);
  await until.catch(() => undefined);
  reader.send('stop');
  const [times] = (await once(reader, 'message', { signal })) as [ReadTimes];
  return times;
}

/** Ten files, from five offices at once. A file refused with Retry-After is sent again then, until all ten are checked. */
const loadHostile: Prepare = async ({ server, strangers, judgeWithinMs, signal }) => {
  const bodies = Object.values(hostileQuestionnaires).map((make) =>
    JSON.stringify({ text: JSON.stringify(make()), check: true }),
  );
  let from = 0;
  let refusals = 0;
  const load = async (i: number): Promise<boolean> => {
    const { id, token } = strangers[i % strangers.length] as BenchOffice;
    const answer = await fetch(`${server.url}/api/office/forms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-office': id, 'content-type': 'application/json' },
      body: bodies[i % bodies.length] ?? '',
      signal,
    });
    const { findings } = (await answer.json()) as { findings?: unknown[] };
    if (answer.status === 200) return findings !== undefined;
    refusals += 1;
    const waitMs = Number(answer.headers.get('retry-after')) * 1000;
    const isOver = performance.now() - from + waitMs > judgeWithinMs;
    if (answer.status !== 503 || !(waitMs > 0) || isOver) return false;
    await sleep(waitMs, null, { signal });
    return load(i);
  };
  return async () => {
    from = performance.now();
    const judged = (await Promise.all(Array.from({ length: 10 }, (_, i) => load(i)))).filter(Boolean).length;
    const tookMs = performance.now() - from;
    return {
      note: `${judged} of 10 judged in ${ms(tookMs)}, ${refusals} refused with a time to try again`,
      isMet: judged === 10 && tookMs <= judgeWithinMs,
    };
  };
};

/** A phone that has a form to fill in. */
interface Phone {
  token: string;
  /** The address of its form. */
  form: string;
  definitionId: string;
}

/** Makes an office request one form only. It is stored as if it had been loaded before the limits existed. */
async function askFor(
  { ground: { services }, server: { url }, signal }: Drill,
  { id: officeId, personId, token: staffToken }: BenchOffice,
  questionnaire: Questionnaire,
): Promise<string> {
  const definition = toNewDefinition(questionnaire);
  const given = { officeId, id: services.id(), at: services.now(), by: personId };
  await asOffice(services.db, officeId, (tx) => addOwnForm(tx, given, definition));
  await fetch(`${url}/api/office/forms`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${staffToken}`, 'x-office': officeId, 'content-type': 'application/json' },
    body: JSON.stringify({ forms: [formSetting(definition.type)] }),
    signal,
  });
  return definition.type;
}

async function phoneOf(
  { ground: { services }, server: { url }, signal }: Drill,
  { id: officeId }: BenchOffice,
  formType: string,
  phone: string,
): Promise<Phone> {
  const scope = officeScope(services, officeId, { kind: 'patient', id: null, name: null }, 'drill');
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
  const list = await fetch(`${url}/api/visit/${token}/forms`, { signal });
  const { members } = (await list.json()) as {
    members: { memberId: string; forms: { formType: string; definitionId: string }[] }[];
  };
  const form = members[0]?.forms.find((listed) => listed.formType === formType);
  if (!form) throw new Error(`the phone is not asked for ${formType}`);
  return {
    token,
    form: `${url}/api/visit/${token}/forms/${members[0]?.memberId}/${formType}`,
    definitionId: form.definitionId,
  };
}

async function eightPhones(drill: Drill, office: BenchOffice, numbers: string): Promise<Phone[]> {
  const formType = await askFor(drill, office, arrivalForm);
  return Promise.all(Array.from({ length: 8 }, (_, i) => phoneOf(drill, office, formType, `${numbers}${i}`)));
}

const json = (method: 'PUT' | 'POST', body: unknown, network: string, signal: AbortSignal): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
  body: JSON.stringify(body),
  signal,
});

/** Strangers' patients keep submitting forms that never finish; a patient of the desk's office submits hers in between. */
const submitHostile: Prepare = async (drill) => {
  const { strangers, desk, signal } = drill;
  const save = ({ form, definitionId }: Phone, answers: Record<string, unknown>, network: string) =>
    fetch(form, json('PUT', { definitionId, version: 0, page: 0, answers }, network, signal));
  const submit = ({ form }: Phone, network: string) =>
    fetch(`${form}/submit`, json('POST', { version: 1 }, network, signal));

  const names = ['FHIRPath of four loops', 'a list doubled 26 times'] as const;
  const phones = await Promise.all(
    names.map(async (name, i) => {
      const office = strangers[i] as BenchOffice;
      const formType = await askFor(drill, office, hostileQuestionnaires[name]?.() as Questionnaire);
      const phone = await phoneOf(drill, office, formType, `+1212555015${i}`);
      await save(phone, { q: [1] }, `198.51.100.${i}`);
      return phone;
    }),
  );
  const patient = await phoneOf(drill, desk, await askFor(drill, desk, arrivalForm), '+12125550160');
  await save(patient, arrivalAnswers, '203.0.113.9');
  return async () => {
    const hostile = Promise.all(phones.flatMap((phone, i) => [1, 2].map(() => submit(phone, `198.51.100.${i}`))));
    await sleep(200);
    const from = performance.now();
    const good = await submit(patient, '203.0.113.9');
    const tookMs = performance.now() - from;
    const refused = (await hostile).filter(({ status }) => status === 422 || status === 503);
    return {
      note: `a patient of the desk's office submitted (${good.status}) in ${ms(tookMs)}, ${refused.length} of 4 hostile submissions refused`,
      isMet: good.status === 200 && tookMs <= longestSubmissionMs && refused.length === 4,
    };
  };
};

/** Counts the answers on connections that send the next request at once, for the drill's seconds. */
async function flood<Caller>(
  { seconds }: Drill,
  callers: Caller[],
  ask: (caller: Caller, nth: number, i: number) => Promise<number>,
) {
  const statuses = new Map<number, number>();
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    callers.map(async (caller, i) => {
      for (let nth = 0; performance.now() < until; nth++) {
        const status = await ask(caller, nth, i);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  return {
    note: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
    succeeded: statuses.get(200) ?? 0,
    unexpected: [...statuses.keys()].filter((status) => ![200, 429, 503].includes(status)),
  };
}

/** Half of the phones send 190 kB, the others a few bytes. Each save has the next version, so each one is written. */
const floodWithSaves: Prepare = async (drill) => {
  const phones = await eightPhones(drill, drill.strangers[2] as BenchOffice, '+1212555017');
  const versions = phones.map(() => 0);
  return async () => {
    const { note, succeeded, unexpected } = await flood(drill, phones, async ({ form, definitionId }, nth, i) => {
      const answers = { reason: [(i % 2 ? 'x'.repeat(190_000) : 'x') + nth] };
      const body = { definitionId, version: versions[i], page: nth % 2, answers };
      const answer = await fetch(form, json('PUT', body, '192.0.2.7', drill.signal));
      const { version } = (await answer.json()) as { version?: number };
      if (answer.status === 200) versions[i] = version ?? 0;
      return answer.status;
    });
    const written = versions.reduce((sum, version) => sum + version, 0);
    return {
      note: `${note}; ${written} versions written`,
      isMet: unexpected.length === 0 && written === succeeded && versions.every((version) => version > 0),
    };
  };
};

/** Every read a stranger with a link may send. No phone sends an ETag, so each answer is computed and written to the audit log. */
const floodWithReads: Prepare = async (drill) => {
  const { server, signal, strangers } = drill;
  const stranger = strangers[3] as BenchOffice;
  const phones = await eightPhones(drill, stranger, '+1212555018');
  const headers = { 'x-forwarded-for': '192.0.2.8' };
  const ofOffice = [`${server.url}/api/checkin/${stranger.npi}`, `${server.url}/c/${stranger.npi}`];
  // A server whose pages are not built has no page.
  const { ok: hasPage } = await fetch(ofOffice[1] ?? '', { headers, signal });
  return async () => {
    const { note, succeeded, unexpected } = await flood(drill, phones, async ({ token, form }, nth) => {
      const visit = `${server.url}/api/visit/${token}`;
      const addresses = [visit, `${visit}/forms`, form, ...(hasPage ? ofOffice : ofOffice.slice(0, 1))];
      const answer = await fetch(addresses[nth % addresses.length] ?? visit, { headers, signal });
      await answer.arrayBuffer();
      return answer.status;
    });
    return { note, isMet: unexpected.length === 0 && succeeded > 0 };
  };
};

/** Small values are the most expensive to parse: 1.4 MB of them to an unknown path, and as many as a public endpoint accepts. */
const floodWithValues: Prepare = async ({ server, seconds, signal }) => {
  const values = {
    unknown: { url: `${server.url}/api/nope`, keys: 130_000 },
    known: { url: `${server.url}/api/sign-in/code`, keys: 6_000 },
  };
  // One of the first kind: more of them would fill this machine's loopback with hundreds of megabytes a second.
  const connections = Array.from({ length: 8 }, (_, i) => (i === 0 ? values.unknown : values.known));
  const send = await startSender({ connections, seconds }, signal);
  return async () => {
    const statuses = await send();
    return {
      note: Object.entries(statuses)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', '),
      isMet: Object.keys(statuses).every((status) => ['0', '400', '404', '429', '503'].includes(status)),
    };
  };
};

/**
 * A process of the lowest priority that sends them: writing such bodies costs the sender more than the server, and a real sender's machine
 * is not this one.
 */
async function startSender(input: ValuesFlood, signal: AbortSignal): Promise<() => Promise<Record<string, number>>> {
  const sender = fork(new URL('./values-sender.ts', import.meta.url), { signal, detached: true });
  sender.send(input);
  await once(sender, 'message', { signal });
  return async () => {
    sender.send('start');
    const [statuses] = (await once(sender, 'message', { signal })) as [Record<string, number>];
    return statuses;
  };
}

/** Phones that announce a body and send it byte by byte. Honest requests are answered in the meantime. */
const slowBodies: Prepare = ({ server: { port, url }, slowPhones, seconds, signal }) =>
  Promise.resolve(async () => {
    const sockets = Array.from({ length: slowPhones }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `PUT /api/visit/${'A'.repeat(32)}/forms/019f1111-1111-7111-8111-111111111111/arrival HTTP/1.1\r\n` +
          'host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 150000\r\n\r\n',
      );
      return socket;
    });
    let nth = 0;
    // A tenth of them at a time, because this process also measures the desk.
    const dribble = setInterval(() => {
      nth += 1;
      for (const [i, socket] of sockets.entries()) if (i % 10 === nth % 10 && socket.writable) socket.write('[');
    }, 10);
    await sleep(seconds * 1000);
    clearInterval(dribble);
    const open = sockets.filter(({ writable }) => writable).length;
    const { ok } = await fetch(`${url}/readyz`, { signal });
    for (const socket of sockets) socket.destroy();
    return { note: `${open} still open at the end, then ready: ${ok ? 'yes' : 'no'}`, isMet: ok };
  });

/** SIGTERM while the workers are busy with hostile files. */
async function endWhileJudging(drill: Drill): Promise<Line> {
  const judge = await loadHostile({ ...drill, judgeWithinMs: 0 });
  const judging = judge().catch(() => null);
  await sleep(500);
  const from = performance.now();
  const code = await Promise.race([drill.server.stop('SIGTERM'), sleep(30_000, 'no end in 30 s', { ref: false })]);
  const endedMs = performance.now() - from;
  if (code === 0) await judging;
  return {
    what: 'SIGTERM while questionnaires are judged',
    figure: `exit code ${String(code)}`,
    beside: `after ${ms(endedMs)}`,
    aim: '0 within 30 s',
    met: code === 0,
  };
}
