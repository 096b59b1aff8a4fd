import type { RefusalCode } from '#contract/refusals.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { takeTryBudget } from './code-limits.ts';
import { sendCode, tryCodeHidingReason, type CodeKey } from './send-and-check-codes.ts';
import { deviceOf, scopeOf } from './devices.ts';
import { readIdentifier } from './identifier.ts';
import { openSession, finishSignIn } from './open-session.ts';
import { findOrCreatePerson } from './find-person.ts';
import type { PersonIdentity } from './person-sql.ts';

/** The purpose of another feature's codes. Its codes are valid for that purpose only. */
type FeaturePurpose = Exclude<CodeKey['purpose'], 'sign-in' | 'unlock'>;

/** Sends a code for a feature to an email address; the answer is the same for known and unknown ones. */
export async function sendFeatureCode(ctx: AnyoneCtx, purpose: FeaturePurpose, email: string) {
  return sendCode(ctx, await codeKeyOf(ctx, purpose, email));
}

/**
 * Signs in with a feature's code. After the right code, `admit` does the feature's work in the same transaction or returns a refusal: then
 * no session is opened, and the code is used up.
 */
export async function signInForFeature<Code extends RefusalCode>(
  ctx: AnyoneCtx,
  { purpose, email, code, bearer }: { purpose: FeaturePurpose; email: string; code: string; bearer: boolean },
  admit: (tx: Tx, person: PersonIdentity) => Promise<Code | null>,
): Promise<{ session: Session; token?: string }> {
  const codeKey = await codeKeyOf(ctx, purpose, email);
  const device = await deviceOf(ctx);
  await takeTryBudget(ctx, codeKey.scope);
  const opened = await ctx.db.transaction().execute(async (tx) => {
    const outcome = await tryCodeHidingReason(tx, ctx, codeKey, code);
    if (outcome !== 'right') return outcome;
    const person = await findOrCreatePerson(tx, ctx, codeKey.identifier);
    const refusal = await admit(tx, person);
    return refusal ?? openSession(tx, ctx, { ...person, bothSteps: false }, { device, bearer });
  });
  if (typeof opened === 'string') throw new Refusal(opened);
  return finishSignIn(ctx, opened);
}

async function codeKeyOf(ctx: AnyoneCtx, purpose: FeaturePurpose, email: string): Promise<CodeKey> {
  const identifier = readIdentifier({ email });
  return { identifier, purpose, scope: await scopeOf(ctx.db, await deviceOf(ctx), identifier, ctx.now()) };
}
