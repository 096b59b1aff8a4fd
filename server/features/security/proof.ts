import { proofMinutes } from '#contract/sign-in/second-ways.ts';
import type { Caller, PersonCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** Until when the caller's last proof of identity lets them change how they sign in; null when it is over. */
export function provedUntil({ caller, now }: Pick<PersonCtx, 'caller' | 'now'>): Date | null {
  const until = new Date(caller.provedAt.getTime() + proofMinutes * 60_000);
  return until > now() ? until : null;
}

/** A panel left open must not be enough to change how its person signs in. */
export function mustHaveProved(ctx: PersonCtx): Caller {
  if (provedUntil(ctx) === null) throw new Refusal('proof_needed');
  return ctx.caller;
}
