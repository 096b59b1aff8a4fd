import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type pg from 'pg';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type EpisodeRow = Selectable<DB['episode']>;

/** Adds an invitation; false if the number has an open one by now. */
export async function insertEpisode(tx: Tx, episode: Insertable<DB['episode']>): Promise<boolean> {
  const inserted = await tx
    .insertInto('episode')
    .values(episode)
    .onConflict((conflict) =>
      conflict
        .columns(['officeId', 'phone'])
        .where(sql<boolean>`state = 'pending'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

const episodes = (tx: Tx, officeId: string) => tx.selectFrom('episode').selectAll().where('officeId', '=', officeId);

export function findEpisode(tx: Tx, officeId: string, id: string): Promise<EpisodeRow | undefined> {
  return episodes(tx, officeId).where('id', '=', id).executeTakeFirst();
}

/** The episode, locked: everything that changes it, its surveys or its callbacks waits for the lock. */
export function lockEpisode(tx: Tx, officeId: string, id: string): Promise<EpisodeRow | undefined> {
  return episodes(tx, officeId).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The same; undefined if somebody else has it. */
export function lockFreeEpisode(tx: Tx, officeId: string, id: string): Promise<EpisodeRow | undefined> {
  return episodes(tx, officeId).where('id', '=', id).forUpdate().skipLocked().executeTakeFirst();
}

/** The open invitation of a number, locked. */
export function lockInvitation(tx: Tx, officeId: string, phone: string): Promise<EpisodeRow | undefined> {
  return episodes(tx, officeId)
    .where('phone', '=', phone)
    .where('state', '=', 'pending')
    .forUpdate()
    .executeTakeFirst();
}

/** Everybody who was ever invited at this number, locked: a consent, another invitation or surveys taken up again wait. */
export function lockEpisodesOfPhone(tx: Tx, officeId: string, phone: string): Promise<EpisodeRow[]> {
  return episodes(tx, officeId).where('phone', '=', phone).orderBy('id').forUpdate().execute();
}

/** The other episodes of this number that go on or are open invitations. */
export function otherOpenEpisodes(
  tx: Tx,
  { officeId, id, phone }: Pick<EpisodeRow, 'officeId' | 'id' | 'phone'>,
): Promise<EpisodeRow[]> {
  return episodes(tx, officeId)
    .where('phone', '=', phone)
    .where('id', '<>', id)
    .where('state', 'in', ['active', 'pending'])
    .execute();
}

const episodesOf = (tx: Tx, officeId: string, { userCode, userId }: { userCode: string; userId: string }) =>
  episodes(tx, officeId)
    .where('id', '=', userId)
    .where('patientId', '=', (q) =>
      q.selectFrom('patient').select('id').where('officeId', '=', officeId).where('userCode', '=', userCode),
    );

/** The episode of a patient's account. */
export function findEpisodeOf(...of: Parameters<typeof episodesOf>): Promise<EpisodeRow | undefined> {
  return episodesOf(...of).executeTakeFirst();
}

/** The same, locked. */
export function lockEpisodeOf(...of: Parameters<typeof episodesOf>): Promise<EpisodeRow | undefined> {
  return episodesOf(...of)
    .forUpdate()
    .executeTakeFirst();
}

export async function setEpisode(
  tx: Tx,
  { officeId, id }: Pick<EpisodeRow, 'officeId' | 'id'>,
  columns: Updateable<DB['episode']>,
): Promise<void> {
  await tx.updateTable('episode').set(columns).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** The job looks at all episodes of the office again, because what is asked, or when, has changed. */
export async function wakeEpisodes(tx: Tx, officeId: string, at: Date): Promise<void> {
  await tx
    .updateTable('episode')
    .set({ nextAt: at })
    .where('officeId', '=', officeId)
    .where('state', '=', 'active')
    .execute();
}

/** Episodes of all offices that the job should look at now. */
export async function dueEpisodes(pool: pg.Pool, now: Date, limit: number) {
  const { rows } = await pool.query<{ office_id: string; episode_id: string }>(
    'select * from door_due_episodes($1, $2)',
    [now, limit],
  );
  return rows.map(({ office_id: officeId, episode_id: episodeId }) => ({ officeId, episodeId }));
}

export const linkStatement = (tx: Tx, link: Insertable<DB['episodeLink']>) => tx.insertInto('episodeLink').values(link);

/** Ends all links of an episode. */
export async function endLinks(tx: Tx, { officeId, id }: Pick<EpisodeRow, 'officeId' | 'id'>, at: Date): Promise<void> {
  await tx
    .updateTable('episodeLink')
    .set({ expiresAt: at })
    .where('officeId', '=', officeId)
    .where('episodeId', '=', id)
    .where('expiresAt', '>', at)
    .execute();
}

/** Whether a text about this episode was written after `since`. */
export async function hasLinkSince(
  tx: Tx,
  { officeId, id }: Pick<EpisodeRow, 'officeId' | 'id'>,
  since: Date,
): Promise<boolean> {
  const link = await tx
    .selectFrom('episodeLink')
    .select('id')
    .where('officeId', '=', officeId)
    .where('episodeId', '=', id)
    .where('createdAt', '>', since)
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

/** Deletes the links that ended before a time. */
export async function deleteEndedLinks(tx: Tx, officeId: string, before: Date): Promise<void> {
  await tx.deleteFrom('episodeLink').where('officeId', '=', officeId).where('expiresAt', '<', before).execute();
}

/** The ids of the unsent texts that lead to an episode. */
export async function unsentTextsOf(tx: Tx, { officeId, id }: Pick<EpisodeRow, 'officeId' | 'id'>): Promise<string[]> {
  const rows = await tx
    .selectFrom('episodeLink as l')
    .innerJoin('text as t', (join) => join.onRef('t.officeId', '=', 'l.officeId').onRef('t.id', '=', 'l.textId'))
    .select('t.id')
    .where('l.officeId', '=', officeId)
    .where('l.episodeId', '=', id)
    .where('t.state', 'in', ['queued', 'held'])
    .execute();
  return rows.map((row) => row.id);
}
