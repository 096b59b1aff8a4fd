import { codeLifeSeconds, resendAfterSeconds } from '#contract/sign-in.ts';
import type { Language } from '#contract/refusals.ts';
import type { AnyoneCtx, House } from '#server/ctx.ts';
import type { Tx } from '#server/kit/db.ts';
import { describeError } from '#server/kit/log.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { keyedHash, newCode, sameBytes } from '#server/kit/secret.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { takeCodeBudget, type Scope } from './budgets.ts';
import type { Identifier } from './identifier.ts';
import { languageOf } from './person-rows.ts';
import { addCode, addFailure, countTry, failuresSince, lockLatestCode } from './code-rows.ts';

export const triesPerCode = 5;
export const failuresPerDay = 15;
/** All visitors of the demo try the same few identifiers. */
const demoFailuresPerDay = 1_000;
/** Longer than this nobody waits for a carrier: the code may still arrive, and another can be asked for. */
const carrierMs = 10_000;

/** What a code opens, for whom, and who asked for it. */
export interface Lock {
  identifier: Identifier;
  purpose: 'sign-in' | 'unlock' | 'partner';
  scope: Scope;
}

/** Makes a code, which replaces the earlier ones, and sends it after the commit. Known and unknown identifiers take the same way. */
export async function sendCode(ctx: AnyoneCtx, lock: Lock): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  await takeCodeBudget(ctx, lock.identifier, lock.scope);
  const { value } = lock.identifier;
  const language = (await languageOf(ctx.db, value)) ?? ctx.language;
  const id = ctx.id();
  const code = newCode();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + codeLifeSeconds * 1000);
  const { purpose, scope } = lock;
  await addCode(ctx.db, {
    id,
    identifier: value,
    purpose,
    scope,
    codeHash: hashOf(ctx, lock, code),
    createdAt,
    expiresAt,
  });
  const text = codeText(ctx.env.productName, code, language);
  await deliver(ctx, lock.identifier, { text, language, reference: id });
  return { expiresAt: expiresAt.toISOString(), resendAfterSeconds };
}

async function deliver(
  ctx: AnyoneCtx,
  { kind, value }: Identifier,
  { text, language, reference }: { text: string; language: Language; reference: string },
): Promise<void> {
  const { sms, email } = ctx.providers;
  const patience = AbortSignal.timeout(carrierMs);
  try {
    if (kind === 'email')
      await email.send(
        { to: value, subject: ctx.env.productName, text, language, reference, isCounted: true },
        patience,
      );
    else await sms.send({ from: ctx.env.codeNumber, to: value, body: text, reference }, patience);
  } catch (error) {
    ctx.log.warn({ err: describeError(error as Error), code: reference }, 'a code was not sent for sure');
    const surelyNot = error instanceof SmsRefused || error instanceof EmailRefused;
    if (surelyNot) throw new Refusal('code_not_sent', undefined, resendAfterSeconds);
  }
}

/** What the person reads. The digits stand in it once. */
export function codeText(product: string, code: string, language: Language): string {
  const minutes = codeLifeSeconds / 60;
  return language === 'es'
    ? `Su código de ${product} es ${code}. Es válido por ${minutes} minutos.`
    : `Your ${product} code is ${code}. It is valid for ${minutes} minutes.`;
}

export type Outcome = 'right' | 'wrong_code' | 'code_expired' | 'code_used_up' | 'too_many_tries';

/**
 * Tries a code on the newest one sent. The row lock lets one guess at a time through, so parallel guesses cannot outrun the counters.
 * Answers instead of refusing: a wrong try must be committed to count.
 */
export async function tryCode(
  tx: Tx,
  house: Pick<House, 'env' | 'id' | 'now'>,
  lock: Lock,
  code: string,
): Promise<Outcome> {
  const { purpose, scope } = lock;
  const { value } = lock.identifier;
  const at = house.now();
  const sent = await lockLatestCode(tx, value, purpose, scope);
  if (!sent || sent.usedAt !== null) return 'wrong_code';
  if (sent.expiresAt <= at) return 'code_expired';
  if (sent.tries >= triesPerCode) return 'code_used_up';
  const dayAgo = new Date(at.getTime() - 86_400_000);
  if ((await failuresSince(tx, value, scope, dayAgo)) >= (house.env.demo ? demoFailuresPerDay : failuresPerDay))
    return 'too_many_tries';

  const right = sameBytes(sent.codeHash, hashOf(house, lock, code));
  await countTry(tx, sent.id, right ? at : null);
  if (right) return 'right';
  await addFailure(tx, { id: house.id(), identifier: value, scope, at });
  return 'wrong_code';
}

function hashOf({ env }: Pick<House, 'env'>, { identifier, purpose, scope }: Lock, code: string): Buffer {
  return keyedHash(env.secrets.session, identifier.value, purpose, scope, code);
}
