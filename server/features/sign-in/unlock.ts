import type { Session } from '#contract/sign-in/code.ts';
import type { AnyoneCtx, Caller } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { sendCode, tryCode, type Lock } from './send-and-check-codes.ts';
import { masked } from './identifier.ts';
import { findPerson } from './person-sql.ts';
import { recordInOffice } from './audit-in-offices.ts';
import { describeSession } from './session.ts';
import { identityOfSession, setUnlocked } from './session-sql.ts';

/** Sends a code to what the person of this session signed in with, and nowhere else. */
export async function requestUnlockCode(
  ctx: AnyoneCtx,
): Promise<{ expiresAt: string; resendAfterSeconds: number; sentTo: string }> {
  const lock = await lockOf(ctx, callerOf(ctx));
  return { ...(await sendCode(ctx, lock)), sentTo: masked(lock.identifier) };
}

/** The person proved it is them: the same session goes on. */
export async function unlock(ctx: AnyoneCtx, code: string): Promise<Session> {
  const caller = callerOf(ctx);
  const lock = await lockOf(ctx, caller);
  const { authenticatorAt } = await findPerson(ctx.db, caller.personId);
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const tried = await tryCode(tx, ctx, lock, code);
    if (tried !== 'right') return tried;
    await setUnlocked(tx, caller.sessionId, ctx.now(), { proves: authenticatorAt === null, secondStep: false });
    if (caller.locked) await recordInOffice(tx, ctx, caller, 'session.unlock');
    return tried;
  });
  if (outcome !== 'right') throw new Refusal(outcome);
  return describeSession(ctx, { ...caller, locked: false, activeAt: ctx.now() });
}

/** Who is signed in, locked or not. */
export function callerOf({ caller }: AnyoneCtx): Caller {
  if (!caller) throw new Refusal('not_signed_in');
  return caller;
}

/** A code is the first step: where the second is due it opens nothing. */
async function lockOf(ctx: AnyoneCtx, { sessionId, secondStepDue }: Caller): Promise<Lock> {
  if (secondStepDue) throw new Refusal('second_step_needed');
  const identifier = await identityOfSession(ctx.db, sessionId);
  if (!identifier) throw new Refusal('not_signed_in');
  return { identifier, purpose: 'unlock', scope: `session:${sessionId}` };
}
