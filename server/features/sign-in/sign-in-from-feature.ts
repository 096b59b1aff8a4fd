import type { RefusalCode } from '#contract/refusals.ts';
import type { Session } from '#contract/sign-in/code.ts';
import type { AnyoneCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { takeTryBudget } from './code-limits.ts';
import { sendCode, tryCodeOfStranger, type Lock } from './send-and-check-codes.ts';
import { deviceOf, scopeOf } from './devices.ts';
import { readIdentifier } from './identifier.ts';
import { openSession, welcome } from './open-session.ts';
import { personOf } from './find-person.ts';
import type { KnownIdentity } from './person-sql.ts';

/** A door of another feature that a code opens: its codes open nothing else. */
type Door = Exclude<Lock['purpose'], 'sign-in' | 'unlock'>;

/** Sends a code for a door to an email address; known and unknown ones answer alike. */
export async function sendCodeFor(ctx: AnyoneCtx, door: Door, email: string) {
  return sendCode(ctx, await lockOf(ctx, door, email));
}

/**
 * Signs in with a code of a door. After the right code and in the same transaction `admit` does what the door is for, or answers why
 * this person may not come in: then there is no session, and the code is used up all the same.
 */
export async function signInThrough<No extends RefusalCode>(
  ctx: AnyoneCtx,
  { door, email, code, bearer }: { door: Door; email: string; code: string; bearer: boolean },
  admit: (tx: Tx, who: KnownIdentity) => Promise<No | null>,
): Promise<{ session: Session; token?: string }> {
  const lock = await lockOf(ctx, door, email);
  const device = await deviceOf(ctx);
  await takeTryBudget(ctx, lock.scope);
  const opened = await ctx.db.transaction().execute(async (tx) => {
    const outcome = await tryCodeOfStranger(tx, ctx, lock, code);
    if (outcome !== 'right') return outcome;
    const who = await personOf(tx, ctx, lock.identifier);
    const no = await admit(tx, who);
    return no ?? openSession(tx, ctx, { ...who, bothSteps: false }, { device, bearer });
  });
  if (typeof opened === 'string') throw new Refusal(opened);
  return welcome(ctx, opened);
}

async function lockOf(ctx: AnyoneCtx, purpose: Door, email: string): Promise<Lock> {
  const identifier = readIdentifier({ email });
  return { identifier, purpose, scope: await scopeOf(ctx.db, await deviceOf(ctx), identifier, ctx.now()) };
}
