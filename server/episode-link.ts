import type { EpisodeLink, Services } from './context.ts';
import { hashToken } from './kit/crypto/secret.ts';

/** The episode of a link's token; null if the link has expired or never existed. */
export async function episodeOf(
  { pool, now, visitorPace }: Pick<Services, 'pool' | 'now' | 'visitorPace'>,
  token: string,
): Promise<(EpisodeLink & { officeId: string }) | null> {
  const { rows } = await pool.query<{ office_id: string; episode_id: string }>({
    name: 'door_episode_by_token',
    text: 'select * from door_episode_by_token($1, $2)',
    values: [hashToken(token), now()],
  });
  const [row] = rows;
  if (!row) return null;
  visitorPace.noteValid(token);
  return { officeId: row.office_id, episodeId: row.episode_id };
}
