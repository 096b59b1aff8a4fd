import { randomBytes } from 'node:crypto';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';

/** How long a browser may take to sign. */
const challengeMs = 5 * 60_000;

/** What a challenge is for; `subject` is the session it belongs to, where there is one. */
export interface Purpose {
  purpose: 'register' | 'sign-in' | 'unlock';
  subject: string | null;
}

/** A new challenge, kept hashed and good for one answer within five minutes. */
export async function newChallenge({ db, now }: Pick<Services, 'db' | 'now'>, { purpose, subject }: Purpose) {
  const challenge = randomBytes(32);
  const expiresAt = new Date(now().getTime() + challengeMs);
  await db
    .insertInto('auth.challenge')
    .values({ challengeHash: hashToken(challenge.toString('base64url')), purpose, subject, expiresAt })
    .execute();
  return challenge;
}

/** Takes a challenge (base64url) out of the store: true once, and only for what it was made for. */
export async function takeChallenge(db: Db, challenge: string, { purpose, subject }: Purpose, now: Date) {
  const taken = await db
    .deleteFrom('auth.challenge')
    .where('challengeHash', '=', hashToken(challenge))
    .where('purpose', '=', purpose)
    .where('subject', subject === null ? 'is' : '=', subject)
    .where('expiresAt', '>', now)
    .returning('expiresAt')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function forgetChallengesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auth.challenge').where('expiresAt', '<', before).execute();
}
