import type { Session } from '#contract/sign-in/code.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { takeTryBudget } from './code-limits.ts';
import { sendCode, tryCodeOfStranger, type Lock } from './send-and-check-codes.ts';
import { deviceOf, scopeOf } from './devices.ts';
import { readIdentifier } from './identifier.ts';
import { openSession, welcome } from './open-session.ts';
import { personOf } from './find-person.ts';

interface Given {
  email?: string | undefined;
  phone?: string | undefined;
}

/** Sends a code to whoever asks: who is known and who is not cannot be told from the answer. */
export async function requestCode(
  ctx: AnyoneCtx,
  given: Given,
): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  const identifier = readIdentifier(given);
  const scope = await scopeOf(ctx.db, await deviceOf(ctx), identifier, ctx.now());
  return sendCode(ctx, { identifier, purpose: 'sign-in', scope });
}

/** Signs in with a code. A newcomer's account is made here, after the right code and never before. */
export async function verifyCode(
  ctx: AnyoneCtx,
  { code, bearer = false, ...given }: Given & { code: string; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  const identifier = readIdentifier(given);
  const device = await deviceOf(ctx);
  const lock: Lock = {
    identifier,
    purpose: 'sign-in',
    scope: await scopeOf(ctx.db, device, identifier, ctx.now()),
  };
  await takeTryBudget(ctx, lock.scope);
  const tried = await ctx.db.transaction().execute(async (tx) => {
    const outcome = await tryCodeOfStranger(tx, ctx, lock, code);
    if (outcome !== 'right') return outcome;
    const who = await personOf(tx, ctx, identifier);
    return openSession(tx, ctx, { ...who, bothSteps: false }, { device, bearer });
  });
  if (typeof tried === 'string') throw new Refusal(tried);
  return welcome(ctx, tried);
}
