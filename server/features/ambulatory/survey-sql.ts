import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type SurveyRow = Selectable<DB['survey']>;

export async function insertSurvey(tx: Tx, survey: Insertable<DB['survey']>): Promise<SurveyRow> {
  return tx.insertInto('survey').values(survey).returningAll().executeTakeFirstOrThrow();
}

/** The surveys that were asked, the newest day first. */
export function surveysOf(tx: Tx, officeId: string, episodeId: string): Promise<SurveyRow[]> {
  return tx
    .selectFrom('survey')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('episodeId', '=', episodeId)
    .orderBy('day', 'desc')
    .execute();
}

const surveys = (tx: Tx, { officeId, episodeId }: { officeId: string; episodeId: string }, id: string) =>
  tx
    .selectFrom('survey')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('episodeId', '=', episodeId)
    .where('id', '=', id);

/** One survey of an episode. */
export function findSurvey(...of: Parameters<typeof surveys>): Promise<SurveyRow | undefined> {
  return surveys(...of).executeTakeFirst();
}

/** The same, locked: the second of two phones sees what the first saved. */
export function lockSurvey(...of: Parameters<typeof surveys>): Promise<SurveyRow | undefined> {
  return surveys(...of)
    .forUpdate()
    .executeTakeFirst();
}

export async function setSurvey(
  tx: Tx,
  officeId: string,
  id: string,
  columns: Updateable<DB['survey']>,
): Promise<SurveyRow> {
  return tx
    .updateTable('survey')
    .set(columns)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What became of the texts of an episode's surveys, by text. */
export async function textsOfSurveys(tx: Tx, officeId: string, textIds: readonly string[]) {
  if (textIds.length === 0) return new Map<string, never>();
  const rows = await tx
    .selectFrom('text')
    .select(['id', 'state', 'errorClass'])
    .where('officeId', '=', officeId)
    .where('id', 'in', textIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The office's median scores by day, of the surveys submitted since a time. */
export async function medianPain(tx: Tx, officeId: string, since: Date) {
  const { rows } = await sql<{ day: number; stationary: number | null; movement: number | null; surveys: number }>`
    select day, percentile_cont(0.5) within group (order by stationary_pain)::float8 as stationary,
      percentile_cont(0.5) within group (order by movement_pain)::float8 as movement, count(*)::int as surveys
    from survey
    where office_id = ${officeId} and submitted_at >= ${since} and type = 'ambu-survey-day'
    group by day order by day`.execute(tx);
  return rows;
}
