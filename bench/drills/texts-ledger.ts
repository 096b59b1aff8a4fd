import { sql } from 'kysely';
import { percentile } from '#bench/ground/report-lines.ts';
import type { BenchDatabase } from '#bench/ground/open-ground.ts';

interface NewTexts {
  count: number;
  overSeconds: number;
  inSeconds?: number;
  /** Their text, so that they can be counted separately. */
  mark: string;
}

/** Texts due evenly over a period, in turn for each office's visit. */
export async function addTexts(ground: BenchDatabase, offices: string[], given: NewTexts): Promise<void> {
  const { count, overSeconds, mark, inSeconds = 0 } = given;
  const from = new Date(Date.now() + inSeconds * 1_000);
  const ids = Array.from({ length: count }, () => ground.services.id());
  const ofOffices = ids.map((_, n) => offices[n % offices.length] as string);
  await sql`
    insert into text (office_id, id, kind, visit_id, from_phone, to_phone, body, send_at, created_at)
    select due.office_id, due.id, 'message', (select v.id from visit v where v.office_id = due.office_id limit 1), o.text_number,
      '+1646555' || lpad((due.n % 10000)::text, 4, '0'), ${mark},
      ${from}::timestamptz + make_interval(secs => due.n * ${overSeconds / Math.max(1, count)}::float8), ${from}
    from unnest(${ids}::uuid[], ${ofOffices}::uuid[]) with ordinality due(id, office_id, n)
    join office o on o.id = due.office_id
  `.execute(ground.owner);
}

/** Delays all queued texts, overdue ones too, so that the next moments belong to those added now. */
export async function postponeWaitingTexts(ground: BenchDatabase, seconds: number): Promise<void> {
  await sql`
    update text set send_at = greatest(send_at, now()) + make_interval(secs => ${seconds}) where state = 'queued'
  `.execute(ground.owner);
}

/** Texts a worker had claimed and not finished when it died. */
export function countClaimedBy(ground: BenchDatabase, pid: number | undefined): Promise<number> {
  return count(ground, sql`state = 'sending' and worker like ${`%:${pid}:%`}`);
}

export function countMarked(ground: BenchDatabase, mark: string, states: string[]): Promise<number> {
  return count(ground, sql`body = ${mark} and state = any(${states})`);
}

/** Texts without a final state. */
export const countOpen = (ground: BenchDatabase) => count(ground, sql`state in ('queued', 'sending')`);

async function count(ground: BenchDatabase, where: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from text where ${where}`.execute(ground.owner);
  return rows[0]?.n ?? 0;
}

/** When the carrier accepted the last text of a mark. */
export async function lastTakenAt(ground: BenchDatabase, mark: string): Promise<Date> {
  const { rows } = await sql<{ at: Date | null }>`select max(at) as at from dev.outbox where body = ${mark}`.execute(
    ground.owner,
  );
  return rows[0]?.at ?? new Date(8.64e15);
}

/** Texts of a mark that the carrier accepted per second, from the first to the last. */
export async function sendingRate(ground: BenchDatabase, mark: string): Promise<number> {
  const { rows } = await sql<{ n: number; seconds: number }>`
    select count(*) as n, extract(epoch from max(at) - min(at))::float8 as seconds from dev.outbox where body = ${mark}
  `.execute(ground.owner);
  const [{ n, seconds } = { n: 0, seconds: 0 }] = rows;
  return (n - 1) / seconds;
}

export interface LedgerCount {
  taken: number;
  twice: number;
  lost: number;
  open: number;
  unknown: number;
  unknownTaken: number;
  retried: number;
}

/** Compares the ledger with what the carrier accepted, text by text. */
export async function compareLedgerWithCarrier(ground: BenchDatabase): Promise<LedgerCount> {
  const { rows } = await sql<LedgerCount>`
    with taken as (select reference, count(*) as n from dev.outbox where channel = 'text' group by reference),
    both_sides as (
      select t.state, t.tries, coalesce(k.n, 0) as n
      from text t left join taken k on k.reference = t.office_id || '.' || t.id
      where t.kind = 'message'
    )
    select
      coalesce(sum(n), 0)::int as taken,
      count(*) filter (where n > 1) as twice,
      count(*) filter (where n = 0 and state in ('sent', 'delivered')) as lost,
      count(*) filter (where state not in ('sent', 'delivered', 'unknown')) as open,
      count(*) filter (where state = 'unknown') as unknown,
      count(*) filter (where state = 'unknown' and n > 0) as "unknownTaken",
      count(*) filter (where tries > 1) as retried
    from both_sides
  `.execute(ground.owner);
  return rows[0] as LedgerCount;
}

/** How late the texts of a mark were sent, in milliseconds; `early` counts texts sent too early. */
export async function lateness(
  ground: BenchDatabase,
  mark: string,
): Promise<{ early: number; p50: number; p99: number }> {
  const { rows } = await sql<{ late: number; mark: string }>`
    select extract(epoch from o.at - t.send_at)::float8 * 1000 as late, t.body as mark
    from dev.outbox o join text t on o.reference = t.office_id || '.' || t.id
  `.execute(ground.owner);
  const marked = rows.filter((row) => row.mark === mark).map(({ late }) => late);
  return {
    early: rows.filter(({ late }) => late < 0).length,
    p50: percentile(marked, 50),
    p99: percentile(marked, 99),
  };
}
