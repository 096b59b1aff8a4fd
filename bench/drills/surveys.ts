import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import { inviteOnce, lockInvitation, setEpisode } from '#server/features/ambulatory/index.ts';
import { loadBuiltInForms } from '#server/features/forms/index.ts';
import { dayOf } from '#server/kit/day.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import type { Tick } from './surveys-server.ts';
import { judge, surveyTexts } from './surveys-texts.ts';
import { kill } from './texts-workers.ts';
import { checkMoneyLedger } from './money-ledger.ts';

export interface SurveysDrill {
  patients: number;
  days: number;
  kills: number;
  /** Forgets some texts, so that the job writes them again: then the drill must find them twice. */
  forgets: boolean;
}

/** Where the clocks go back on November 1, 2026, and one where they never do. */
const zones = ['America/New_York', 'America/Chicago', 'America/Phoenix', 'America/Los_Angeles', 'America/Puerto_Rico'];
/** Area codes of both coasts: a number's own night counts too. */
const areas = ['212', '312', '480', '310', '787'];
const begins = new Date('2026-10-12T16:00:00Z');
const planDays = [1, 2, 3, 5, 7, 10, 14, 21, 27];
const hourMs = 3_600_000;
/** About what the work of an hour takes: a server is killed somewhere within it. */
const killWithinMs = 300;
/** How long a kill waits for a text, and about how long the carrier has a text before it answers. */
const mostWaitMs = 3_000;
const answerMs = 10;

/**
 * A month of ambulatory patients whose clock is moved hour by hour over the end of daylight saving time, by two servers of which one, or both at
 * once, are killed with -9 again and again while they ask surveys and send texts. Afterwards each text that the carrier took is compared with
 * the plan.
 */
export async function drillSurveys({ patients, days, kills, forgets }: SurveysDrill): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const servers = new Set<ChildProcess>();
  try {
    await loadBuiltInForms(ground.services);
    await addPatients(ground, patients);
    const busy = await passDays(ground, servers, { days, kills, forgets });
    const texts = await surveyTexts(ground);
    const expected = await expectedSurveys(ground, days);
    const found = judge(texts, expected);
    const story = {
      what: 'kills with -9 of a server that asks and sends, every second one of both servers at once',
      figure: `${busy.killed}`,
      beside: `${patients} patients, ${days} days, ${texts.length.toLocaleString('en')} texts taken by the carrier; ${busy.caught} kills while a text was on its way`,
      aim: `${kills}`,
      met: busy.killed === kills,
    };
    const none = (what: string, count: number): Line => ({
      what,
      figure: String(count),
      beside: `of ${expected.length.toLocaleString('en')} surveys`,
      aim: '0',
      met: count === 0,
    });
    if (forgets)
      return [
        {
          what: 'surveys texted twice, when their texts are forgotten',
          figure: String(found.twice),
          beside: '',
          aim: 'some',
          met: found.twice > 0,
        },
      ];
    return [
      story,
      none('surveys not texted on their day', found.missing),
      none('surveys texted twice', found.twice),
      none('texts on a day without a survey, or after the last one', found.uncalled),
      none('texts at night, by the clock of the office or of the number', found.atNight),
      none('surveys with more than two reminders', found.overReminded),
      none('texts that the ledger has and the carrier does not, held or unknown', await countNotTaken(ground)),
      { ...none('kills while a text was on its way', busy.caught), beside: '', aim: 'some', met: busy.caught > 0 },
      await checkMoneyLedger(ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    await ground.close();
  }
}

/** Patients of five offices who agreed on the first morning; half of them had their surgery the day before. */
async function addPatients(ground: BenchDatabase, patients: number): Promise<void> {
  const offices = await addOffices(ground, zones.length, 0);
  for (const [i, { id, npi }] of offices.entries()) {
    const timeZone = zones[i] ?? 'UTC';
    const settings = {
      providers: [{ name: 'ambu', enabled: true, adminNavBar: true }],
      features: {
        globalFormsEnabled: {
          forms: planDays.map((day) => ({
            enabled: true,
            type: 'ambu-survey-day',
            day,
            visibleName: { en: '', es: '' },
          })),
        },
      },
    };
    await ground.owner
      .updateTable('office')
      .set({ timeZone, settings: JSON.stringify(settings), messageSettings: '{}' })
      .where('id', '=', id)
      .execute();
    for (let n = i; n < patients; n += zones.length) {
      await forgetLimits(ground);
      const services = { ...ground.services, now: () => begins };
      const scope = officeScope(services, id, { kind: 'operator', id: null, name: null }, 'drill');
      const phone = `+1${areas[n % areas.length]}555${String(1_000 + n)}`;
      const episodeDate = dayOf(new Date(begins.getTime() - (n % 2) * 24 * hourMs), timeZone);
      const patientName = `Patient ${n}`;
      const invitation = { phone, phoneNumber: phone, patientName, episodeDate, language: 'en' } as const;
      await scope.transaction(async (tx) => {
        await inviteOnce(tx, { ...scope, npi }, { ...invitation, quietHours: 'ignore' });
        const episode = await lockInvitation(tx, id, phone);
        if (episode) await setEpisode(tx, episode, { state: 'active', consentedAt: begins, nextAt: begins });
      });
    }
  }
}

/** What a drill of minutes sends in a month would use up the limits of an hour. */
const forgetLimits = ({ owner }: BenchDatabase) => owner.deleteFrom('rateLimit').execute();

/** Moves the clock from hour to hour. The kills fall into hours in which something is due. */
async function passDays(
  ground: BenchDatabase,
  servers: Set<ChildProcess>,
  { days, kills, forgets }: Pick<SurveysDrill, 'days' | 'kills' | 'forgets'>,
): Promise<{ killed: number; caught: number }> {
  const start = () => startServer(ground, servers);
  let running: ChildProcess[] = await Promise.all([start(), start()]);
  // Until the night after the last day.
  const hours = days * 24 + 12;
  let killed = 0;
  let caught = 0;
  for (let hour = 1; hour <= hours; hour++) {
    const at = begins.getTime() + hour * hourMs;
    await forgetLimits(ground);
    const due = await countDue(ground, at);
    if (due === 0) continue;
    const mayKill = due > 1 && killed < Math.ceil((kills * hour) / (hours * 0.8)) && killed < kills;
    if (mayKill) {
      for (const server of running) void tick(server, at);
      // Half of the kills wait for a text that is on its way: those are the ones that could send it twice.
      if (killed % 4 < 2) await untilClaimed(ground, running);
      else await pause(Math.random() * killWithinMs);
      const victims = killed % 2 === 0 ? running.slice(0, 1) : running;
      await Promise.all(victims.map(kill));
      killed++;
      if ((await countClaimedBy(ground, victims)) > 0) caught++;
      running = [...running.slice(victims.length), ...(await Promise.all(victims.map(start)))];
    }
    do await Promise.all(running.map((server) => tick(server, at)));
    while ((await countDue(ground, at)) > 0);
    if (forgets)
      await sql`update survey set texted_at = null where submitted_at is null and random() < 0.02`.execute(
        ground.owner,
      );
  }
  return { killed, caught };
}

async function startServer(ground: BenchDatabase, servers: Set<ChildProcess>): Promise<ChildProcess> {
  const { session, audit, webhook } = ground.env.secrets;
  const child = fork(join(projectRoot, 'bench/drills/surveys-server.ts'), {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(ground.env.dataDir, 'compiled'),
      DATABASE_URL: ground.appUrl,
      DATA_DIR: ground.env.dataDir,
      SESSION_SECRET: session,
      AUDIT_SECRET: audit,
      WEBHOOK_SECRET: webhook,
    },
  });
  servers.add(child);
  child.once('exit', () => servers.delete(child));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`a server ended before it was ready (${code})`)));
  });
  return child;
}

/** Says the time to a server and waits until it finds nothing to do, or is gone. */
function tick(server: ChildProcess, at: number): Promise<void> {
  const order: Tick = { at };
  return new Promise((resolve) => {
    const end = () => {
      server.off('exit', end).off('message', end);
      resolve();
    };
    server.on('exit', end).on('message', end);
    server.send(order);
  });
}

/** The episodes and texts that wait for a server at a time, and the texts that are on their way. */
async function countDue({ owner }: BenchDatabase, at: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from episode where next_at <= ${new Date(at)})::int
      + (select count(*) from text where state = 'sending'
          or (state = 'queued' and greatest(send_at, retry_at) <= ${new Date(at)}))::int as n`.execute(owner);
  return rows[0]?.n ?? 0;
}

/** The texts that killed servers had claimed. */
async function countClaimedBy({ owner }: BenchDatabase, killed: readonly ChildProcess[]): Promise<number> {
  const names = killed.map(({ pid }) => `drill:${pid}`);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from text where state = 'sending' and worker = any(${names}::text[])`.execute(owner);
  return rows[0]?.n ?? 0;
}

/** Waits until one of the servers has a text on its way, and a moment longer; not for ever, because an hour may have none. */
async function untilClaimed(ground: BenchDatabase, servers: readonly ChildProcess[]): Promise<void> {
  const ends = performance.now() + mostWaitMs;
  while (performance.now() < ends && (await countClaimedBy(ground, servers)) === 0) await pause(2);
  await pause(Math.random() * answerMs);
}

/** Texts of the ledger that the carrier does not have. */
async function countNotTaken({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from text t where t.provider_id is null
      or not exists (select from dev.outbox c where c.id::text = t.provider_id::text)`.execute(owner);
  return rows[0]?.n ?? 0;
}

/** The surveys whose day came while the clock ran, as `phone day`. */
async function expectedSurveys({ owner }: BenchDatabase, days: number): Promise<string[]> {
  const { rows } = await sql<{ phone: string; passed: number }>`
    select e.phone, (${dayOf(begins, 'UTC')}::date - e.held_on) + ${days} as passed from episode e`.execute(owner);
  const asked = [...planDays, (planDays.at(-1) ?? 0) + 1];
  return rows.flatMap(({ phone, passed }) => asked.filter((day) => day <= passed).map((day) => `${phone} ${day}`));
}
