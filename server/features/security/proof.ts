import { proofMinutes } from '#contract/sign-in/second-ways.ts';
import type { Caller, PersonCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** Until when the caller's last proof of identity allows changing sign-in methods; null if it has expired. */
export function provedUntil(ctx: Pick<PersonCtx, 'caller' | 'now'>): Date | null {
  return proofUntil(ctx, proofMinutes * 60);
}

/**
 * Refuses without a proof of identity of the last `seconds`, ten minutes by default: a panel left open must not be enough to change sign-in
 * methods.
 */
export function requireRecentProof(ctx: PersonCtx, seconds = proofMinutes * 60): Caller {
  if (proofUntil(ctx, seconds) === null) throw new Refusal('proof_needed');
  return ctx.caller;
}

function proofUntil({ caller, now }: Pick<PersonCtx, 'caller' | 'now'>, seconds: number): Date | null {
  const until = new Date(caller.provedAt.getTime() + seconds * 1000);
  return until > now() ? until : null;
}
