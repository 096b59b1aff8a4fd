import { sql } from 'kysely';
import type { Tx } from './kit/db/db.ts';

/** How many changes a panel may be behind and still read only those. It reads again after each hint, and every 7 seconds. */
const rememberedChanges = 64;

/** The visits whose rows of the queue changed; `all` if every row may have, as after a change of the forms that the practice asks for. */
export type ChangedVisits = string[] | 'all';

/**
 * The statement of the next version behind the queue's ETag. Each change of something the queue shows runs it, and names the visits that
 * show it: panels read those only (decision 0086). Each visit takes one version, so that the n-th last one is the n-th last of `recent`.
 */
export function queueVersionStatement(tx: Tx, officeId: string, day: string, visits: ChangedVisits) {
  const recent = visits === 'all' ? [] : visits.slice(0, rememberedChanges);
  const steps = visits === 'all' ? 1 : visits.length;
  return tx
    .insertInto('queueVersion')
    .values({ officeId, id: day, version: steps, trackedVersion: steps, recent: sql`${recent}::uuid[]` })
    .onConflict((conflict) =>
      conflict.columns(['officeId', 'id']).doUpdateSet({
        version: sql`queue_version.version + excluded.version`,
        trackedVersion: sql`queue_version.version + excluded.version`,
        recent: visits === 'all' ? sql`excluded.recent` : recentVisits,
      }),
    );
}

/** The last changes with the new ones. Those before a version that somebody raised without naming visits are forgotten. */
const recentVisits = sql<string[]>`
  case when queue_version.tracked_version = queue_version.version then
    queue_version.recent[greatest(1, cardinality(queue_version.recent) + cardinality(excluded.recent) - ${sql.lit(rememberedChanges - 1)}):]
  else '{}' end || excluded.recent`;

/** Raises the version behind the queue's ETag. */
export async function bumpQueue(tx: Tx, officeId: string, day: string, visits: ChangedVisits): Promise<void> {
  await queueVersionStatement(tx, officeId, day, visits).execute();
}

/**
 * Raises the queue's version for the days of these visits, because the queue shows each visit's newest text. A number's other visits of such
 * a day show too whether it gets texts.
 */
export async function bumpQueueForVisits(tx: Tx, officeId: string, visitIds: string[]): Promise<void> {
  await sql`
    insert into queue_version (office_id, id, version, tracked_version, recent)
    select ${officeId}::uuid, d.day, cardinality(d.visits), cardinality(d.visits), d.visits[:${sql.lit(rememberedChanges)}]
    from (
      select other.day, array_agg(distinct other.id) as visits
      from visit v join visit other on other.office_id = ${officeId} and other.phone = v.phone and other.day = v.day
      where v.office_id = ${officeId} and v.id = any(${visitIds}::uuid[])
      group by other.day order by other.day
    ) d
    on conflict (office_id, id) do update set
      version = queue_version.version + excluded.version,
      tracked_version = queue_version.version + excluded.version,
      recent = ${recentVisits}
  `.execute(tx);
}
