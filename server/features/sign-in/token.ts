import { mayRefresh, tokenLifeSeconds } from '#contract/session.ts';
import type { AnyoneCtx } from '#server/ctx.ts';
import { bearerOf, sessionCookie } from '#server/kit/context.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { hashToken, keyedHash, sameBytes } from '#server/kit/secret.ts';
import { lockSessionRow, renewToken } from './session-rows.ts';

/**
 * Renews the caller's token near its end, locked or not; nobody's activity. The next token follows from the one presented, so that two
 * tabs at once, and a caller who lost the answer, get the same; the one presented works until its own end.
 */
export async function refresh(ctx: AnyoneCtx): Promise<{ tokenExpiresAt: string; token?: string }> {
  const bearer = bearerOf(ctx.http.header('authorization'));
  const presented = bearer ?? ctx.http.cookie(sessionCookie);
  const { caller } = ctx;
  if (!caller || presented === undefined) throw new Refusal('not_signed_in');

  const renewed = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockSessionRow(tx, caller.sessionId);
    if (!row) throw new Refusal('not_signed_in');
    const hash = hashToken(presented);
    const next = nextToken(ctx.env.secrets.session, presented);
    const ends = row.tokenExpiresAt ?? row.expiresAt;
    if (!sameBytes(row.tokenHash, hash)) return { ends, next };
    const secondsLeft = (ends.getTime() - ctx.now().getTime()) / 1000;
    if (!mayRefresh(secondsLeft) || ends >= row.expiresAt) return { ends, next: null };

    const wished = new Date(ctx.now().getTime() + tokenLifeSeconds * 1000);
    const tokenExpiresAt = wished < row.expiresAt ? wished : row.expiresAt;
    await renewToken(tx, caller.sessionId, {
      tokenHash: hashToken(next),
      tokenExpiresAt,
      previousTokenHash: hash,
      previousUntil: ends,
    });
    return { ends: tokenExpiresAt, next };
  });

  const { ends, next } = renewed;
  if (next !== null && bearer === undefined)
    ctx.http.setCookie(sessionCookie, next, secondsUntil(ctx, caller.expiresAt));
  return { tokenExpiresAt: ends.toISOString(), ...(next !== null && bearer !== undefined && { token: next }) };
}

/** 192 bits that only this installation can tell from the token before. */
function nextToken(secret: string, token: string): string {
  return keyedHash(secret, 'next token', token).subarray(0, 24).toString('base64url');
}

function secondsUntil({ now }: Pick<AnyoneCtx, 'now'>, end: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now().getTime()) / 1000));
}
