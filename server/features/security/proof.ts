import { proofMinutes } from '#contract/sign-in/second-ways.ts';
import type { Caller, PersonCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** Until when the caller's last proof of identity allows changing sign-in methods; null if it has expired. */
export function provedUntil({ caller, now }: Pick<PersonCtx, 'caller' | 'now'>): Date | null {
  const until = new Date(caller.provedAt.getTime() + proofMinutes * 60_000);
  return until > now() ? until : null;
}

/** Refuses without a recent proof of identity: a panel left open must not be enough to change sign-in methods. */
export function requireRecentProof(ctx: PersonCtx): Caller {
  if (provedUntil(ctx) === null) throw new Refusal('proof_needed');
  return ctx.caller;
}
