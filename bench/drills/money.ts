import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { sql } from 'kysely';
import { approveAtOnce } from '#db/seed/copays.ts';
import { bareApp, buildApp } from '#server/app.ts';
import { systemActor, type Services } from '#server/context.ts';
import { checkDuePayments } from '#server/features/copay/index.ts';
import { membershipOperations } from '#server/features/membership/jobs.ts';
import { newLinkStatements } from '#server/features/queue/visit-links.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { advanceDue } from '#server/providers/card/local-accounts.ts';
import { settleLocalTransfer } from '#server/providers/charges/local.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import {
  compareChargedTwice,
  compareMemberships,
  compareOperations,
  compareRecordings,
  compareTransfers,
  countAsked,
  countChargedTwice,
  countMoney,
  countPaidTwice,
  countUndecided,
  keptByVisit,
  type Differences,
} from './money-books.ts';
import { sendCallbacks, type PostCallback } from './money-callbacks.ts';
import { timeOf, type FastClock } from './money-clock.ts';
import { openMoneyDesks, type MoneyOffice } from './money-desks.ts';
import { checkMoneyLedger } from './money-ledger.ts';
import { remoteProviders } from './money-provider-calls.ts';
import { noTrouble, openMoneyProvider } from './money-provider.ts';
import { answerToDoList, tellEverything, type SendToDo } from './money-to-do.ts';
import { bundleMoneyServer, openMoneyServers } from './money-servers.ts';

export interface MoneyDrill {
  kills: number;
  /** The longest time between two kills. */
  pauseMs: number;
  /** Our servers take a new operation id for each call: then the drill must find what was charged twice. */
  blind: boolean;
}

const officeCount = 4;
const visitsPerOffice = 8;
const speed = 20;
const trouble = { lostBefore: 0.04, lostAfter: 0.08, slowMs: 80 };
const mostRounds = 80;

/**
 * Servers killed with -9 while practices change their plans and patients pay, against providers in a process that lives on: slow, losing
 * calls and answers, with callbacks in any order and more than once. Afterwards our books are compared with the providers'.
 */
export async function drillMoney({ kills, pauseMs, blind }: MoneyDrill): Promise<Line[]> {
  const { file, remove } = await bundleMoneyServer();
  const ground = await openBenchDatabase();
  const clock: FastClock = { startedAt: Date.now(), showed: noonOfToday(), speed };
  const services = { ...ground.services, now: () => timeOf(clock) };
  const provider = await openMoneyProvider(services);
  const servers = openMoneyServers(ground, file, { providers: { url: provider.url, forgetful: blind }, clock });
  try {
    const offices = await openOffices(ground, services);
    await servers.open();
    provider.setTrouble(trouble);
    const desks = openMoneyDesks({ services, owner: ground.owner }, offices, servers.url);
    const callbacks = openCallbacks(services, postTo(servers.url));
    for (let n = 0; n < kills; n++) {
      await servers.killOne(pauseMs);
      // People press more often here than anybody may.
      await sql`truncate rate_limit`.execute(ground.owner);
    }
    // Time for the servers that are left to go on with what the killed ones began.
    await pause(3_000);
    await Promise.all([desks.stop(), callbacks.stop()]);
    await servers.end();
    provider.setTrouble(noTrouble);
    const { rounds, answered, wrongly } = await settlePayments(ground, services, offices, {
      url: provider.url,
      forgetful: false,
    });
    desks.count.toDo += answered;
    desks.count.wrongly += wrongly;
    return [
      figure('servers killed with -9', kills, `${provider.count.orphaned} calls to a provider lost their caller`),
      ...(await story(ground, desks.count, callbacks.count(), provider.count, rounds)),
      ...(blind ? [await mustBeTwice(ground)] : await verdicts(ground, offices)),
    ];
  } finally {
    await servers.end();
    provider.close();
    await remove();
    await ground.close();
  }
}

/** The offices are in UTC, and a drill at midnight would be on two of their days. */
function noonOfToday(): number {
  return new Date().setUTCHours(12, 0, 0, 0);
}

/** Practices that take payments, with visits of today, and links that were texted to their patients. */
async function openOffices(ground: BenchDatabase, services: Services): Promise<MoneyOffice[]> {
  const offices = await addOffices(ground, officeCount, visitsPerOffice);
  await sql`update office set emr = 'AthenaOne'`.execute(ground.owner);
  await sql`update auth.session set active_at = now() + interval '2 days', expires_at = now() + interval '4 days'`.execute(
    ground.owner,
  );
  return Promise.all(
    offices.map(async ({ id, npi, token }) => {
      await approveAtOnce(services, id);
      const scope = officeScope(services, id, systemActor, 'drill');
      const visits = await scope.transaction(async (tx) => {
        const rows = await tx
          .selectFrom('visit')
          .selectAll()
          .where('officeId', '=', id)
          .where('status', '<>', 'EXPECTED')
          .execute();
        const links = [];
        for (const visit of rows) {
          const link = await newLinkStatements(tx, scope, visit, { proved: true });
          await runTogether(tx, { statements: link.statements, hints: [] });
          links.push({ id: visit.id, token: link.token, requestedCents: 0 });
        }
        return links;
      });
      return { id, npi, token, visits };
    }),
  );
}

const postTo =
  (serverUrl: () => string | null): PostCallback =>
  async (path, headers, body) => {
    const url = serverUrl();
    if (url === null) return 0;
    const answer = await fetch(url + path, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.status;
  };

/** Callbacks until `stop`. */
function openCallbacks(services: Services, post: PostCallback) {
  let stopped = false;
  let sent = 0;
  const running = (async () => {
    while (!stopped) {
      sent += await sendCallbacks(services, post, { late: 0.4, again: 0.3 });
      await pause(100);
    }
  })();
  return {
    count: () => sent,
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

/**
 * Minutes pass, the jobs run and the last callbacks arrive, until everything is decided. People answer what is on the to-do list, sometimes wrongly;
 * then the provider tells what it has, and hours later they answer what is still asked, as it is.
 */
async function settlePayments(
  ground: BenchDatabase,
  given: Services,
  offices: readonly MoneyOffice[],
  providers: Parameters<typeof remoteProviders>[1],
): Promise<{ rounds: number; answered: number; wrongly: number }> {
  let now = given.now().getTime();
  const services: Services = { ...given, log: pino({ level: 'fatal' }), now: () => new Date(now) };
  services.providers = { ...given.providers, ...remoteProviders(services, providers) };
  const app = await buildApp(bareApp(services.env), services);
  const post: PostCallback = async (url, headers, payload) =>
    (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
  await sql`delete from practice_software.behavior`.execute(ground.owner);
  const pending = await ground.owner
    .selectFrom('charges.transfer')
    .select('reference')
    .where('state', '=', 'PENDING')
    .execute();
  for (const { reference } of pending) await settleLocalTransfer(services, reference, 'SUCCEEDED');
  const count = { rounds: 0, answered: 0, wrongly: 0 };
  const decideAll = async () => {
    do {
      count.rounds++;
      now += 90_000;
      while (await advanceDue(services));
      while (await checkDuePayments(services));
      while (await resumeOperations(services, membershipOperations));
      await sendCallbacks(services, post, { late: 0, again: 0.1 });
    } while ((await countUndecided(ground.owner)) > 0 && count.rounds < mostRounds);
  };
  const answerAll = async (wrong: number) => {
    // People answer more here in a minute than anybody may in an hour.
    await sql`truncate rate_limit`.execute(ground.owner);
    for (const office of offices) {
      const { answered, wrongly } = await answerToDoList(ground.owner, office, sendInto(app, office), {
        wrong,
        most: 1_000,
      });
      count.answered += answered;
      count.wrongly += wrongly;
    }
  };
  await decideAll();
  await answerAll(0.8);
  await tellEverything(ground.owner);
  for (let look = 0; look < 3; look++) {
    now += 3_700_000;
    await decideAll();
    await answerAll(0);
  }
  await decideAll();
  await app.close();
  return count;
}

/** Calls of somebody of the office, straight into the app. */
const sendInto =
  (app: Awaited<ReturnType<typeof buildApp>>, { id, token }: MoneyOffice): SendToDo =>
  async (method, path, payload) => {
    const headers = { authorization: `Bearer ${token}`, 'x-office': id };
    const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };

async function story(
  { owner }: BenchDatabase,
  desks: { calls: number; unanswered: number; answered: Map<number, number>; toDo: number; wrongly: number },
  callbacks: number,
  provider: { calls: number; lost: number },
  rounds: number,
): Promise<Line[]> {
  const money = await countMoney(owner);
  const paidTwice = await countPaidTwice(owner);
  const statuses = [...desks.answered].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`);
  return [
    figure('presses', desks.calls, `${desks.unanswered} without an answer; ${statuses.join(', ')}`),
    figure('calls to the providers', provider.calls, `${provider.lost} lost on the way there or back`),
    figure('callbacks', callbacks, 'in any order, a third of them twice'),
    figure('answers to the to-do list', desks.toDo, `${desks.wrongly} of them wrong`),
    figure('changes of plans and cards', money.plans, `${money.resumed} taken over from a killed server`),
    figure('charges', money.charged, `${money.refunded} refunds, ${money.failed} failed, ${money.unknown} unknown`),
    figure(
      'requests charged twice after a wrong answer',
      paidTwice.ever,
      `${paidTwice.open} still on the to-do list, the others refunded`,
    ),
    figure('recorded in the practice software', money.recorded, `${money.unknownRecordings} unknown`),
    figure('rounds of a minute and a half until all was decided', rounds, ''),
  ];
}

async function verdicts({ owner }: BenchDatabase, offices: readonly MoneyOffice[]): Promise<Line[]> {
  const kept = await keptByVisit(owner);
  const visits = offices.flatMap((office) => office.visits);
  const tooMuch = visits.filter(({ id, requestedCents }) => (kept.get(id) ?? 0) > requestedCents).length;
  const undecided = await countUndecided(owner);
  return [
    check('still undecided', { count: undecided, examples: [] }),
    check('questions on the to-do list that no answer ends', await countAsked(owner)),
    check('offices whose plan, state or card differs from the provider’s', await compareMemberships(owner)),
    check('changes at the card provider that we do not know as done', await compareOperations(owner)),
    check('transfers whose state or amount differs from ours', await compareTransfers(owner)),
    check('charged twice for one operation, period or step up', await countChargedTwice(owner)),
    check('requests charged twice of which we say something else', await compareChargedTwice(owner)),
    check('visits that paid more than the desk requested', { count: tooMuch, examples: [] }),
    check('copays and claims recorded twice, or otherwise than we say', await compareRecordings(owner)),
    await checkMoneyLedger(owner),
  ];
}

async function mustBeTwice({ owner }: BenchDatabase): Promise<Line> {
  const { count } = await countChargedTwice(owner);
  return {
    ...figure('charged twice, when our servers forget the operation', count, ''),
    aim: 'some',
    met: count > 0,
  };
}

const figure = (what: string, value: number, beside: string): Line => ({
  what,
  figure: value.toLocaleString('en'),
  beside,
  aim: '',
  met: null,
});
const check = (what: string, { count, examples }: Differences): Line => ({
  ...figure(what, count, examples.join('; ')),
  aim: '0',
  met: count === 0,
});
