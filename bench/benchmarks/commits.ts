import { auditStatement } from '#server/kit/audit.ts';
import { openDb, openPool, asOffice, type Db } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { median, perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';

const clientCounts = [2, 8, 32];
const rounds = 5;
const seconds = 1.5;

/** Commits of small transactions that send a hint, compared with the same ones without it. */
export async function commits(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const pool = openPool(ground.appUrl, { max: 32 });
  const db = openDb(pool);
  try {
    const offices = await addOffices(ground, 32, 0);
    const lines: Line[] = [];
    for (const clients of clientCounts) {
      const rates: Record<'none' | 'hints', number[]> = { none: [], hints: [] };
      for (let round = 0; round < rounds; round++) {
        rates.none.push(await commitFor(ground, db, offices.slice(0, clients), false));
        rates.hints.push(await commitFor(ground, db, offices.slice(0, clients), true));
      }
      const kept = median(rates.hints.map((rate, i) => rate / (rates.none[i] ?? Number.NaN)));
      lines.push({
        what: `commits with a hint, ${clients} clients`,
        figure: `${perSecond(median(rates.hints))} = ${ratio(kept)}`,
        beside: `without ${perSecond(median(rates.none))}`,
        aim: '≥ 0.90x',
        met: kept >= 0.9,
      });
    }
    return lines;
  } finally {
    await db.destroy();
    await ground.close();
  }
}

/** Commits per second of one client per office. */
async function commitFor(ground: BenchDatabase, db: Db, offices: BenchOffice[], withHint: boolean): Promise<number> {
  const from = performance.now();
  const until = from + seconds * 1000;
  let done = 0;
  const client = async ({ id }: BenchOffice) => {
    const scope = officeScope(ground.services, id, { kind: 'patient', id: null, name: null }, 'bench');
    while (performance.now() < until) {
      await asOffice(db, id, (tx) =>
        runTogether(tx, {
          statements: [auditStatement(tx, scope, { action: 'queue.read', subject: 'bench' })],
          hints: withHint ? [{ office: id, type: 'checkin' }] : [],
        }),
      );
      done++;
    }
  };
  await Promise.all(offices.map(client));
  return (done / (performance.now() - from)) * 1000;
}
