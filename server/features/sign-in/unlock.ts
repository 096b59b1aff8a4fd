import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx, Caller } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { sendCode, tryCode, type CodeKey } from './send-and-check-codes.ts';
import { maskIdentifier } from './identifier.ts';
import { findPerson } from './person-sql.ts';
import { auditInOffice } from './audit-in-offices.ts';
import { describeSession } from './session.ts';
import { identityOfSession, setUnlocked } from './session-sql.ts';

/** Sends a code to the email or number this session was opened with, and nowhere else. */
export async function requestUnlockCode(
  ctx: AnyoneCtx,
): Promise<{ expiresAt: string; resendAfterSeconds: number; sentTo: string }> {
  const codeKey = await codeKeyOf(ctx, requireCaller(ctx));
  return { ...(await sendCode(ctx, codeKey)), sentTo: maskIdentifier(codeKey.identifier) };
}

/** Unlocks with a code; the same session continues. */
export async function unlockWithCode(ctx: AnyoneCtx, code: string): Promise<Session> {
  const caller = requireCaller(ctx);
  const codeKey = await codeKeyOf(ctx, caller);
  const { authenticatorAt } = await findPerson(ctx.db, caller.personId);
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const result = await tryCode(tx, ctx, codeKey, code);
    if (result !== 'right') return result;
    await setUnlocked(tx, caller.sessionId, ctx.now(), { proves: authenticatorAt === null, secondStep: false });
    if (caller.locked) await auditInOffice(tx, ctx, caller, 'session.unlock', { details: { by: 'code' } });
    return result;
  });
  if (outcome !== 'right') throw new Refusal(outcome);
  return describeSession(ctx, { ...caller, locked: false, activeAt: ctx.now() });
}

/** The caller, locked or not; refuses if nobody is signed in. */
export function requireCaller({ caller }: AnyoneCtx): Caller {
  if (!caller) throw new Refusal('not_signed_in');
  return caller;
}

/** A code is only the first sign-in step; refuses while the second is due. */
async function codeKeyOf(ctx: AnyoneCtx, { sessionId, secondStepDue }: Caller): Promise<CodeKey> {
  if (secondStepDue) throw new Refusal('second_step_needed');
  const identifier = await identityOfSession(ctx.db, sessionId);
  if (!identifier) throw new Refusal('not_signed_in');
  return { identifier, purpose: 'unlock', scope: `session:${sessionId}` };
}
