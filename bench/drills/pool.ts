import { setTimeout as sleep } from 'node:timers/promises';
import { asOffice, openDb, openPool } from '#server/kit/db/db.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { startProcess } from '#testing/app/process.ts';
import { compareWritten, startDesks } from '#bench/ground/desks.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { checkMoneyLedger } from './money-ledger.ts';
import { knowsNamedStatements, pgbouncer, startPgbouncer } from './pgbouncer.ts';

const databaseConnections = 20;
const desksAtWork = 12;

interface PoolDrill {
  /** Client connections of the crowd of desks. */
  crowd: number;
  seconds: number;
  /** The crowd sends named statements through a pgbouncer that does not know them: then the drill must see failures. */
  named: boolean;
}

/**
 * Two processes and a crowd of desks share 20 connections of PostgreSQL through pgbouncer in transaction mode. Nobody may see another
 * office's rows, every call is answered, hints arrive. Statements have names only if pgbouncer knows them (PGBOUNCER names a newer one).
 */
export async function drillPool({ crowd, seconds, named }: PoolDrill): Promise<Line[]> {
  if (!pgbouncer) {
    process.stdout.write('skipped: 20 connections for a crowd of desks (no pgbouncer)\n');
    return [];
  }
  const ground = await openBenchDatabase();
  const pooler = await startPgbouncer(pgbouncer, { directUrl: ground.appUrl, connections: databaseConnections });
  const pooled = {
    NODE_ENV: 'production',
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: ground.appUrl,
    DATABASE_PREPARE: knowsNamedStatements(pgbouncer) ? '1' : '0',
  };
  const servers = await Promise.all([startProcess(ground.url, pooled), startProcess(ground.url, pooled)]);
  try {
    const offices = await addOffices(ground, desksAtWork, 3);
    const panels = await Promise.all(
      offices.map(({ token, id }, i) => openLiveClient(servers[i % 2]?.url ?? '', { token, office: id })),
    );
    const urls = servers.map(({ url }) => url);
    const desks = startDesks(urls, offices, ground.owner);
    const connections = watchConnections(ground);
    const reads = await readAsCrowd(pooler.url, offices, {
      crowd,
      seconds,
      prepares: named || pooled.DATABASE_PREPARE === '1',
    });
    const mostConnections = await connections.stop();
    const { calls, written, refused, failures, tookMs } = await desks.stop();
    await sleep(500);
    const { rows, twice, lost } = await compareWritten(ground, written);
    const told = panels.filter(({ hints }) => hints.length > 0).length;
    for (const panel of panels) panel.close();
    const broken = [...failures, ...Array<string>(refused).fill('503'), ...reads.failures];
    return [
      {
        what: `${crowd.toLocaleString('en')} connections of desks on ${databaseConnections} of the database: calls that failed`,
        figure: `${broken.length} of ${(calls + reads.count).toLocaleString('en')}`,
        beside:
          broken.slice(0, 2).join('; ') ||
          `p99 ${ms(percentile(tookMs, 99))} over HTTP, statements ${named ? 'named' : pooled.DATABASE_PREPARE === '1' ? 'named, known to pgbouncer' : 'without names'}`,
        aim: named ? 'some' : '0',
        met: named ? broken.length > 0 : broken.length === 0,
      },
      {
        what: 'most connections of the app to PostgreSQL at once, LISTEN aside',
        figure: String(mostConnections),
        beside: `looked at every 100 ms`,
        aim: `≤ ${databaseConnections}`,
        met: mostConnections > 0 && mostConnections <= databaseConnections,
      },
      {
        what: "reads that saw another office's rows, or no row",
        figure: `${reads.foreign} of ${reads.count.toLocaleString('en')}`,
        beside: '',
        aim: '0',
        met: named ? null : reads.foreign === 0,
      },
      {
        what: 'messages executed twice, or lost',
        figure: `${twice} twice, ${lost} lost`,
        beside: `${written.length.toLocaleString('en')} acknowledged, ${rows.toLocaleString('en')} in the database`,
        aim: '0, 0',
        met: twice === 0 && lost === 0,
      },
      {
        what: 'panels that heard of a change',
        figure: `${told} of ${panels.length}`,
        beside: '',
        aim: 'all',
        met: named ? null : told === panels.length,
      },
      ...(named ? [] : [await refusesOwnersLogin(pgbouncer, ground), await notReadyWithoutEcho(ground)]),
      await checkMoneyLedger(ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    for (const server of servers) await server.stop('SIGKILL');
    await pooler.stop();
    await ground.close();
  }
}

/** A crowd of desks, each on a connection of its own to the pooler, reads its office's visits all the time. */
async function readAsCrowd(
  url: string,
  offices: BenchOffice[],
  { crowd, seconds, prepares }: { crowd: number; seconds: number; prepares: boolean },
) {
  const pools = Array.from({ length: Math.ceil(crowd / databaseConnections) }, () =>
    openDb(openPool(url, { max: databaseConnections, prepares })),
  );
  const failures: string[] = [];
  let count = 0;
  let foreign = 0;
  const desk = async (i: number) => {
    const office = offices[i % offices.length] as BenchOffice;
    const db = pools[i % pools.length] as (typeof pools)[number];
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      count++;
      try {
        const rows = await asOffice(db, office.id, (tx) =>
          tx.selectFrom('visit').select('officeId').where('createdAt', '>', new Date(0)).execute(),
        );
        if (rows.length === 0 || rows.some(({ officeId }) => officeId !== office.id)) foreign++;
      } catch (error) {
        failures.push((error as Error).message);
        await sleep(50);
      }
    }
  };
  // In groups, as people arrive: PostgreSQL inspects the login of each new connection.
  await Promise.all(Array.from({ length: crowd }, async (_, i) => sleep(i).then(() => desk(i))));
  for (const db of pools) await db.destroy();
  return { count, foreign, failures };
}

/** The most connections that the app's login had at once, except those that listen and the drill's own. */
function watchConnections(ground: BenchDatabase): { stop(): Promise<number> } {
  let going = true;
  let most = 0;
  const looking = (async () => {
    for (; going; await sleep(100)) {
      const { rows } = await ground.services.pool.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and usename = 'anteroom_app'
           and application_name <> 'anteroom-live' and client_port is not null
           and pid <> all (select pid from pg_stat_activity where pid = pg_backend_pid())`,
      );
      most = Math.max(most, (rows[0]?.n ?? 0) - (ground.services.pool.totalCount - 1));
    }
  })();
  return {
    async stop() {
      going = false;
      await looking;
      return most;
    },
  };
}

/** A pooler that logs in as the owner, whatever the app says, would show every office's rows. */
async function refusesOwnersLogin(path: string, ground: BenchDatabase): Promise<Line> {
  const pooler = await startPgbouncer(path, { directUrl: ground.appUrl, loginUrl: ground.url, connections: 5 });
  const error = await startProcess(ground.url, {
    NODE_ENV: 'production',
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: ground.appUrl,
    DATABASE_PREPARE: '0',
  }).then(
    (server) => server.stop('SIGKILL').then(() => 'it started'),
    (thrown: Error) => thrown.message,
  );
  await pooler.stop();
  const isRefused = /did not start: .*row-level security would not hold/s.test(error);
  return {
    what: 'a process whose pooler logs in as the owner',
    figure: isRefused ? 'refuses to start' : error.slice(0, 120),
    beside: '',
    aim: 'refuses to start',
    met: isRefused,
  };
}

/** A process that listens on another database than it writes to hears nothing, although LISTEN succeeds. */
async function notReadyWithoutEcho(ground: BenchDatabase): Promise<Line> {
  const elsewhere = await openBenchDatabase();
  const urls = { DATABASE_URL: ground.appUrl, DATABASE_DIRECT_URL: elsewhere.appUrl };
  const server = await startProcess(ground.url, { NODE_ENV: 'production', ...urls }, '/healthz');
  try {
    await sleep(3_000);
    const answer = await fetch(`${server.url}/readyz`);
    const { database, listening } = (await answer.json()) as { database: boolean; listening: boolean };
    return {
      what: 'a process that listens on another database than it writes to, after 3 s',
      figure: `${answer.status}, ${listening ? 'listens' : 'does not listen'}`,
      beside: database ? 'the database answers' : 'the database does not answer',
      aim: '503',
      met: answer.status === 503 && database && !listening,
    };
  } finally {
    await server.stop('SIGKILL');
    await elsewhere.close();
  }
}
