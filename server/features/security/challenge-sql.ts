import type { Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db } from '#server/kit/db/db.ts';

/** `subject`: the session it belongs to, if any. */
type Challenge = Omit<Selectable<DB['auth.challenge']>, 'expiresAt'>;

export async function insertChallenge(db: Db, challenge: Challenge & { expiresAt: Date }): Promise<void> {
  await db.insertInto('auth.challenge').values(challenge).execute();
}

/** Deletes a challenge that has not expired; returns false if there is none. */
export async function deleteChallenge(
  db: Db,
  { challengeHash, purpose, subject }: Challenge,
  now: Date,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('auth.challenge')
    .where('challengeHash', '=', challengeHash)
    .where('purpose', '=', purpose)
    .where('subject', subject === null ? 'is' : '=', subject)
    .where('expiresAt', '>', now)
    .returning('expiresAt')
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function forgetChallengesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auth.challenge').where('expiresAt', '<', before).execute();
}
