import { mayRefresh, tokenLifeSeconds } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { bearerOf, sessionCookie } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken, sameBytes } from '#server/kit/crypto/secret.ts';
import { nextSessionToken } from '#server/kit/crypto/session-token.ts';
import { findPerson } from './person-sql.ts';
import { auditInOffice } from './audit-in-offices.ts';
import { endSession, findReplacedToken, lockSessionRow, renewToken } from './session-sql.ts';

/** Within this time two tabs may renew the same token, and a caller who lost the response may retry. */
const graceSeconds = 30;

/**
 * Renews the caller's token near its end, locked or not; does not count as activity. The next token is derived from the presented one, so
 * two tabs in parallel get the same token. If a replaced token is presented after the grace period, two parties hold it, and the session
 * ends for both.
 */
export async function refreshToken(ctx: AnyoneCtx): Promise<{ tokenExpiresAt: string; token?: string }> {
  const bearer = bearerOf(ctx.http.header('authorization'));
  const presented = bearer ?? ctx.http.cookie(sessionCookie);
  if (presented === undefined) throw new Refusal('not_signed_in');

  const renewed = await ctx.db.transaction().execute((tx) => renewPresentedToken(tx, ctx, presented));
  if (renewed === 'revoked' && bearer === undefined) ctx.http.clearCookie(sessionCookie);
  if (renewed === null || renewed === 'revoked') throw new Refusal('not_signed_in');

  const { ends, sessionEnds, next } = renewed;
  if (next !== null) ctx.visitorPace.noteSession(next);
  if (next !== null && bearer === undefined) ctx.http.setCookie(sessionCookie, next, secondsUntil(ctx, sessionEnds));
  return { tokenExpiresAt: ends.toISOString(), ...(next !== null && bearer !== undefined && { token: next }) };
}

interface RenewedToken {
  ends: Date;
  sessionEnds: Date;
  /** Null: too early to renew; the presented token stays valid. */
  next: string | null;
}

/** Null for an unknown token. `revoked` is returned, not thrown: the end of the session must be committed. */
async function renewPresentedToken(
  tx: Tx,
  ctx: AnyoneCtx,
  presented: string,
): Promise<RenewedToken | 'revoked' | null> {
  const hash = hashToken(presented);
  const sessionId = ctx.caller?.sessionId ?? (await findReplacedToken(tx, hash))?.sessionId;
  const row = sessionId === undefined ? undefined : await lockSessionRow(tx, sessionId);
  if (sessionId === undefined || !row) return null;
  const at = ctx.now();
  const next = nextSessionToken(ctx.env.secrets.session, presented, tokenLifeSeconds);
  const sessionEnds = row.expiresAt;
  const ends = row.tokenExpiresAt ?? sessionEnds;

  if (!sameBytes(row.tokenHash, hash)) {
    // Read after the lock: a parallel renewal may have just written it.
    const replaced = await findReplacedToken(tx, hash);
    if (!replaced) return null;
    const isRace = at.getTime() - replaced.replacedAt.getTime() <= graceSeconds * 1000;
    if (isRace && sameBytes(row.tokenHash, hashToken(next))) return { ends, sessionEnds, next };
    await revokeSession(tx, ctx, { sessionId, personId: row.personId });
    return 'revoked';
  }

  const secondsLeft = (ends.getTime() - at.getTime()) / 1000;
  if (!mayRefresh(secondsLeft) || ends >= sessionEnds) return { ends, sessionEnds, next: null };
  const fullLifeEnd = new Date(at.getTime() + tokenLifeSeconds * 1000);
  const tokenExpiresAt = fullLifeEnd < sessionEnds ? fullLifeEnd : sessionEnds;
  const tokenHash = hashToken(next);
  await renewToken(tx, sessionId, { tokenHash, tokenExpiresAt, previousTokenHash: hash, previousUntil: ends, at });
  return { ends: tokenExpiresAt, sessionEnds, next };
}

/** Ends the session with all its tokens and sockets. */
async function revokeSession(tx: Tx, ctx: AnyoneCtx, { sessionId, personId }: { sessionId: string; personId: string }) {
  await endSession(tx, sessionId, ctx.now());
  const { name } = await findPerson(tx, personId);
  await auditInOffice(tx, ctx, { personId, personName: name, sessionId }, 'session.revoke');
  await sendHint(tx, { type: 'session', session: sessionId });
}

function secondsUntil({ now }: Pick<AnyoneCtx, 'now'>, end: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now().getTime()) / 1000));
}
