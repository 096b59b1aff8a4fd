import { mayRefresh, tokenLifeSeconds } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { bearerOf, sessionCookie } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken, keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';
import { findPerson } from './person-sql.ts';
import { recordInOffice } from './audit-in-offices.ts';
import { endSession, findReplacedToken, lockSessionRow, renewToken } from './session-sql.ts';

/** Two tabs may renew the same token within so many seconds, and a caller who lost the answer may ask again. */
const graceSeconds = 30;

/**
 * Renews the caller's token near its end, locked or not; does not count as activity. The next token follows from the presented one, so that
 * two tabs at once get the same. A replaced token that comes for renewal after the grace period is in two hands: the session ends for both.
 */
export async function refresh(ctx: AnyoneCtx): Promise<{ tokenExpiresAt: string; token?: string }> {
  const bearer = bearerOf(ctx.http.header('authorization'));
  const presented = bearer ?? ctx.http.cookie(sessionCookie);
  if (presented === undefined) throw new Refusal('not_signed_in');

  const renewed = await ctx.db.transaction().execute((tx) => renew(tx, ctx, presented));
  if (renewed === 'revoked' && bearer === undefined) ctx.http.clearCookie(sessionCookie);
  if (renewed === null || renewed === 'revoked') throw new Refusal('not_signed_in');

  const { ends, sessionEnds, next } = renewed;
  if (next !== null && bearer === undefined) ctx.http.setCookie(sessionCookie, next, secondsUntil(ctx, sessionEnds));
  return { tokenExpiresAt: ends.toISOString(), ...(next !== null && bearer !== undefined && { token: next }) };
}

interface Renewed {
  ends: Date;
  sessionEnds: Date;
  /** Null: too early, the presented token goes on. */
  next: string | null;
}

/** Null when the token is nobody's. `revoked` is returned, not thrown: the end of the session must be committed. */
async function renew(tx: Tx, ctx: AnyoneCtx, presented: string): Promise<Renewed | 'revoked' | null> {
  const hash = hashToken(presented);
  const sessionId = ctx.caller?.sessionId ?? (await findReplacedToken(tx, hash))?.sessionId;
  const row = sessionId === undefined ? undefined : await lockSessionRow(tx, sessionId);
  if (sessionId === undefined || !row) return null;
  const at = ctx.now();
  const next = nextToken(ctx.env.secrets.session, presented);
  const sessionEnds = row.expiresAt;
  const ends = row.tokenExpiresAt ?? sessionEnds;

  if (!sameBytes(row.tokenHash, hash)) {
    // Read after the lock: a renewal that ran meanwhile has written it.
    const replaced = await findReplacedToken(tx, hash);
    if (!replaced) return null;
    const isRace = at.getTime() - replaced.replacedAt.getTime() <= graceSeconds * 1000;
    if (isRace && sameBytes(row.tokenHash, hashToken(next))) return { ends, sessionEnds, next };
    await revoke(tx, ctx, { sessionId, personId: row.personId });
    return 'revoked';
  }

  const secondsLeft = (ends.getTime() - at.getTime()) / 1000;
  if (!mayRefresh(secondsLeft) || ends >= sessionEnds) return { ends, sessionEnds, next: null };
  const wished = new Date(at.getTime() + tokenLifeSeconds * 1000);
  const tokenExpiresAt = wished < sessionEnds ? wished : sessionEnds;
  const tokenHash = hashToken(next);
  await renewToken(tx, sessionId, { tokenHash, tokenExpiresAt, previousTokenHash: hash, previousUntil: ends, at });
  return { ends: tokenExpiresAt, sessionEnds, next };
}

/** Ends the session with all its tokens and sockets. */
async function revoke(tx: Tx, ctx: AnyoneCtx, { sessionId, personId }: { sessionId: string; personId: string }) {
  await endSession(tx, sessionId, ctx.now());
  const { name } = await findPerson(tx, personId);
  await recordInOffice(tx, ctx, { personId, personName: name, sessionId }, 'session.revoke');
  await sendHint(tx, { type: 'session', session: sessionId });
}

/** 192 bits that only this installation can tell from the token before. */
function nextToken(secret: string, token: string): string {
  return keyedHash(secret, 'next token', token).subarray(0, 24).toString('base64url');
}

function secondsUntil({ now }: Pick<AnyoneCtx, 'now'>, end: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now().getTime()) / 1000));
}
