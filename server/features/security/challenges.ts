import { randomBytes } from 'node:crypto';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { deleteChallenge, insertChallenge } from './challenge-sql.ts';

/** How long a browser may take to sign. */
const challengeMs = 5 * 60_000;

/** What a challenge is for; `subject` is its session, null before sign-in. */
export interface ChallengePurpose {
  purpose: 'register' | 'sign-in' | 'unlock';
  subject: string | null;
}

/** Creates a challenge, stored hashed and valid for one response within five minutes. */
export async function newChallenge({ db, now }: Pick<Services, 'db' | 'now'>, { purpose, subject }: ChallengePurpose) {
  const challenge = randomBytes(32);
  const expiresAt = new Date(now().getTime() + challengeMs);
  await insertChallenge(db, { challengeHash: hashToken(challenge.toString('base64url')), purpose, subject, expiresAt });
  return challenge;
}

/** Uses up a challenge (base64url); returns true once, and only for its own purpose. */
export async function takeChallenge(db: Db, challenge: string, { purpose, subject }: ChallengePurpose, now: Date) {
  return deleteChallenge(db, { challengeHash: hashToken(challenge), purpose, subject }, now);
}
