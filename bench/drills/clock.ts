import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addStaff } from '#server/features/office/index.ts';
import type { QuietHours } from '#contract/practice/message-settings.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { checkMoneyLedger } from './money-ledger.ts';

const minute = 60;
const hour = 3600;

/** The lifetimes of codes and sessions, and scheduled texts in the nights when the clocks change, on a whole process whose clock Debian's faketime moves. */
export async function drillClock(): Promise<Line[]> {
  const library = faketimeLibrary();
  if (library === null) {
    process.stdout.write('skipped: codes and sessions by a moved clock (no faketime)\n');
    return [];
  }
  const ground = await openBenchDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-clock-'));
  const clock = join(folder, 'now');
  let ahead = 0;
  const setClock = () => writeFile(clock, `+${ahead}s\n`);
  await setClock();
  try {
    const server = await ground.server({
      TRUST_PROXY: '127.0.0.1',
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    const wait = async (seconds: number) => {
      ahead += seconds;
      await setClock();
      await sleep(20);
    };
    const [office] = await addOffices(ground, 1, 0);
    const until: Until = (at) => wait((at.getTime() - Date.now()) / 1_000 - ahead);
    const desks = deskMaker(ground, server.url, (office as { id: string }).id);
    const lines: Line[] = [];
    for (const [what, holds] of promises) {
      const desk = await desks();
      const failed = await holds(desk, wait, until).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      lines.push({ what, figure: failed ?? 'kept', beside: '', aim: 'kept', met: failed === null });
      await wait(2 * hour);
    }
    return [...lines, await checkMoneyLedger(ground.owner, { mayBeEmpty: true })];
  } finally {
    await ground.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Desk = Awaited<ReturnType<ReturnType<typeof deskMaker>>>;
type Wait = (seconds: number) => Promise<void>;
type Until = (at: Date) => Promise<void>;

const promises: [string, (desk: Desk, wait: Wait, until: Until) => Promise<void>][] = [
  [
    'a code works for three minutes',
    async (desk, wait) => {
      await desk.ask();
      await wait(178);
      await desk.enters(200);
    },
  ],
  [
    'and not longer',
    async (desk, wait) => {
      await desk.ask();
      await wait(181);
      await desk.enters(400, 'wrong_code');
    },
  ],
  [
    'another code can be asked for after thirty seconds, five in an hour',
    async (desk, wait) => {
      await desk.ask();
      await desk.asks(429);
      for (let sent = 1; sent < 5; sent++) {
        await wait(31);
        await desk.asks(200);
      }
      await wait(31);
      await desk.asks(429);
      await wait(hour);
      await desk.asks(200);
    },
  ],
  [
    'fifteen wrong codes a day, across re-sends, and then no code is sent until the next day',
    async (desk, wait) => {
      for (let sent = 0; sent < 3; sent++) {
        await desk.ask();
        for (let i = 0; i < 5; i++) await desk.tries('wrong', 400);
        await wait(31);
      }
      await desk.asks(429);
      await wait(24 * hour);
      await desk.ask();
      await desk.enters(200);
    },
  ],
  [
    'the panel locks after fifteen minutes without input, whatever polls; the session stays',
    async (desk, wait) => {
      await desk.signIn();
      for (let passed = 0; passed < 14; passed++) {
        await wait(minute);
        await desk.reads(200);
      }
      await wait(59);
      await desk.reads(200);
      await wait(2);
      await desk.reads(401, 'session_locked');
      await desk.is('locked');
    },
  ],
  [
    'input keeps it open',
    async (desk, wait) => {
      await desk.signIn();
      for (let i = 0; i < 3; i++) {
        await wait(14 * minute);
        await desk.touches(200);
      }
      await wait(14 * minute);
      await desk.reads(200);
    },
  ],
  [
    'a token that nobody renews ends after an hour; renewed, it goes on, and that is no input',
    async (desk, wait) => {
      await desk.signIn();
      await wait(52 * minute);
      await desk.renews(200);
      await wait(50 * minute);
      await desk.is('locked');
      await desk.renews(200);
      await wait(61 * minute);
      await desk.is('signed-out');
    },
  ],
  [
    'a session ends after twelve hours, however busy',
    async (desk, wait) => {
      await desk.signIn();
      for (let passed = 0; passed < 12 * hour - 10 * minute; passed += 10 * minute) {
        await wait(10 * minute);
        await desk.touches(200);
        await desk.renews(200);
      }
      await wait(9 * minute);
      await desk.reads(200);
      await wait(2 * minute);
      await desk.reads(401, 'not_signed_in');
    },
  ],
  [
    'a clock set back an hour gives no code a second life',
    async (desk, wait) => {
      await desk.signIn();
      await wait(-hour);
      await desk.tries('right', 400);
      await wait(hour);
    },
  ],
  [
    'texts scheduled in the nights when the clocks change go out once, each at its time',
    async (desk, wait, until) => {
      await desk.setsQuietHours({ from: '12:00', until: '13:00' });
      for (const night of clockChanges) {
        await until(addMinutes(night, -60));
        await desk.signIn();
        const times = [-15, 15].map((minutes) => addMinutes(night, minutes));
        await desk.schedules(times);
        for (const [sent, time] of times.entries()) {
          await until(addMinutes(time, -1));
          await sleep(1_200);
          await desk.hasSent(sent);
          await wait(minute + 1);
          await desk.hasSent(sent + 1);
        }
        await desk.forgets();
      }
    },
  ],
  [
    'in the quiet hours of these nights they wait, and go out once at eight by the new time',
    async (desk, wait, until) => {
      await desk.setsQuietHours({ from: '21:00', until: '08:00' });
      for (const [i, night] of laterClockChanges.entries()) {
        await until(addMinutes(night, -60));
        await desk.signIn();
        await desk.schedules([-15, 15].map((minutes) => addMinutes(night, minutes)));
        await until(addMinutes(eightAfter[i] as Date, -1));
        await sleep(1_200);
        await desk.hasSent(0);
        await wait(minute + 1);
        await desk.hasSent(2);
        await desk.forgets();
      }
    },
  ],
];

/** When the clocks in New York go forward and back. */
const clockChanges = [new Date('2027-03-14T07:00:00Z'), new Date('2027-11-07T06:00:00Z')];
/** The same a year later, and eight in the morning after each. */
const laterClockChanges = [new Date('2028-03-12T07:00:00Z'), new Date('2028-11-05T06:00:00Z')];
const eightAfter = [new Date('2028-03-12T12:00:00Z'), new Date('2028-11-05T13:00:00Z')];

const addMinutes = (at: Date, minutes: number) => new Date(at.getTime() + minutes * minute * 1_000);

const scheduledText = 'See you in the morning';
let numbers = 0;

/** A member of the office at a new desk with a different address: performs steps and checks each answer. */
function deskMaker({ owner, services }: BenchDatabase, url: string, officeId: string) {
  let made = 0;
  return async () => {
    const email = `desk${++made}@clock.test`;
    const address = `198.18.7.${made}`;
    await addStaff(owner, services, { name: 'Clock', email }, [officeId]);
    let token = '';
    const post = async (path: string, body: object = {}, method = 'POST') => {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          'x-forwarded-for': address,
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          ...(token && { cookie: `anteroom=${token}; __Host-anteroom=${token}` }),
        },
        ...(method === 'POST' && { body: JSON.stringify(body) }),
      });
      const cookie = answer.headers.getSetCookie().find((line) => /^(__Host-)?anteroom=./.test(line));
      if (cookie) token = /=([^;]*)/.exec(cookie)?.[1] ?? '';
      const said = (await answer.json()) as { code?: string; gate?: { because: string } };
      return { status: answer.status, ...said };
    };
    const must = (what: string, answer: { status: number; code?: string }, status: number, code?: string) => {
      if (answer.status !== status || (code !== undefined && answer.code !== code))
        throw new Error(`${what}: ${answer.status} ${answer.code ?? ''}, not ${status} ${code ?? ''}`);
    };
    const sentCode = async () => {
      const { body } = await owner
        .selectFrom('dev.outbox')
        .select('body')
        .where('recipient', '=', email)
        .orderBy('at', 'desc')
        .executeTakeFirstOrThrow();
      return /\b\d{6}\b/.exec(body)?.[0] ?? '';
    };
    const asks = async (status: number) => must('asking', await post('/sign-in/code', { email }), status);
    const tries = async (which: 'right' | 'wrong', status: number, code?: string) => {
      const right = await sentCode();
      const entered = which === 'right' ? right : String((Number(right) + 1) % 1_000_000).padStart(6, '0');
      must('entering', await post('/sign-in/verify', { email, code: entered }), status, code);
    };
    const enters = (status: number, code?: string) => tries('right', status, code);
    const sent = () =>
      owner.selectFrom('dev.outbox').select(['recipient', 'at']).where('body', '=', scheduledText).execute();
    return {
      /** The practice's quiet hours, in New York. */
      async setsQuietHours(quietHours: QuietHours) {
        const office = owner.updateTable('office').where('id', '=', officeId);
        await office.set({ timeZone: 'America/New_York', messageSettings: JSON.stringify({ quietHours }) }).execute();
      },
      /** Texts for these times, each to a number of its own. */
      async schedules(times: readonly Date[]) {
        const deliveryOptions = times.map((at) => ({
          phoneNumber: `+16463000${String(++numbers).padStart(3, '0')}`,
          sendAt: at.toISOString(),
        }));
        must('scheduling', await post('/sms', { message: scheduledText, deliveryOptions }), 200);
      },
      /** So many of them are sent, each once; waits a few seconds for the last one. */
      async hasSent(count: number) {
        for (let tries = 0; (await sent()).length < count && tries < 50; tries++) await sleep(100);
        const texts = await sent();
        const people = new Set(texts.map(({ recipient }) => recipient)).size;
        if (texts.length !== count || people !== count)
          throw new Error(`${texts.length} sent to ${people}, not ${count}`);
      },
      forgets: () => owner.deleteFrom('dev.outbox').where('body', '=', scheduledText).execute(),
      asks,
      ask: () => asks(200),
      tries,
      enters,
      async signIn() {
        await asks(200);
        await enters(200);
      },
      reads: async (status: number, code?: string) =>
        must('reading', await post('/virtual-queue/doctor', {}, 'GET'), status, code),
      touches: async (status: number) => must('touching', await post('/session/active'), status),
      renews: async (status: number) => must('renewing', await post('/session/refresh'), status),
      async is(because: string) {
        const { gate } = await post('/session', {}, 'GET');
        if (gate?.because !== because) throw new Error(`the gate says ${gate?.because}, not ${because}`);
      },
    };
  };
}

/** The path of faketime's library for threaded programs; null if it is not installed. */
function faketimeLibrary(): string | null {
  try {
    const found = execFileSync('faketime', ['-f', '+0s', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim();
    return found.replace('libfaketime.so', 'libfaketimeMT.so');
  } catch {
    return null;
  }
}
