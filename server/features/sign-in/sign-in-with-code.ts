import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { takeTryBudget } from './code-limits.ts';
import { sendCode, tryCodeHidingReason, type CodeKey } from './send-and-check-codes.ts';
import { deviceOf, scopeOf } from './devices.ts';
import { readIdentifier } from './identifier.ts';
import { openSession, finishSignIn } from './open-session.ts';
import { findOrCreatePerson } from './find-person.ts';

interface IdentifierInput {
  email?: string | undefined;
  phone?: string | undefined;
}

/** Sends a code. The answer is the same for known and unknown identifiers. */
export async function requestCode(
  ctx: AnyoneCtx,
  input: IdentifierInput,
): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  const identifier = readIdentifier(input);
  const scope = await scopeOf(ctx.db, await deviceOf(ctx), identifier, ctx.now());
  return sendCode(ctx, { identifier, purpose: 'sign-in', scope });
}

/** Signs in with a code. Creates a newcomer's account only after the right code. */
export async function verifyCode(
  ctx: AnyoneCtx,
  { code, bearer = false, ...input }: IdentifierInput & { code: string; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  const identifier = readIdentifier(input);
  const device = await deviceOf(ctx);
  const codeKey: CodeKey = {
    identifier,
    purpose: 'sign-in',
    scope: await scopeOf(ctx.db, device, identifier, ctx.now()),
  };
  await takeTryBudget(ctx, codeKey.scope);
  const opened = await ctx.db.transaction().execute(async (tx) => {
    const outcome = await tryCodeHidingReason(tx, ctx, codeKey, code);
    if (outcome !== 'right') return outcome;
    const person = await findOrCreatePerson(tx, ctx, identifier);
    return openSession(tx, ctx, { ...person, bothSteps: false }, { device, bearer });
  });
  if (typeof opened === 'string') throw new Refusal(opened);
  return finishSignIn(ctx, opened);
}
