import { codeLifeSeconds, resendAfterSeconds, triesPerCode } from '#contract/sign-in/code.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import type { Language } from '#contract/shapes.ts';
import type { AnyoneCtx, Services } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { describeError } from '#server/kit/log.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { keyedHash, newCode, sameBytes } from '#server/kit/crypto/secret.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { orGiveBack, takeDailyCodes } from '#server/shared-budgets.ts';
import { takeCodeBudget, type Scope } from './code-limits.ts';
import type { Identifier } from './identifier.ts';
import { languageOf } from './person-sql.ts';
import { addCode, addFailure, failureBefore, latestCode, lockTries, saveTries, setCodeUsed } from './code-sql.ts';

const failuresPerDay = 15;
/** All demo visitors use the same few identifiers. */
const demoFailuresPerDay = 1_000;
/** How long to wait for the carrier. After that the code may still arrive, and the person can request another. */
const carrierMs = 10_000;
const dayMs = 86_400_000;

/** What a code is for, whose it is, and who requested it. A code is valid for exactly this combination. */
export interface CodeKey {
  identifier: Identifier;
  purpose: 'sign-in' | 'unlock' | 'partner';
  scope: Scope;
}

/** Creates a code, which replaces earlier ones, and sends it. Known and unknown identifiers take the same path. */
export async function sendCode(
  ctx: AnyoneCtx,
  codeKey: CodeKey,
): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  const budget = await takeCodeBudget(ctx, codeKey.identifier, codeKey.scope);
  await refuseLockedOut(ctx, codeKey);
  const { value } = codeKey.identifier;
  const language = (await languageOf(ctx.db, value)) ?? ctx.language;
  const id = ctx.id();
  const code = newCode();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + codeLifeSeconds * 1000);
  const { purpose, scope } = codeKey;
  const text = codeText(ctx.env.productName, code, language);
  const isTexted = codeKey.identifier.kind === 'phone';
  const takeOfDay = () =>
    takeDailyCodes(ctx, isTexted ? 'texted' : 'emailed', isTexted ? sizeOfText(text).segments : 1);
  const giveBackOfDay = budget.isOfStranger ? await orGiveBack(takeOfDay, budget.giveBack) : null;
  await addCode(ctx.db, {
    id,
    identifier: value,
    purpose,
    scope,
    codeHash: hashOf(ctx, codeKey, code),
    createdAt,
    expiresAt,
  });
  await deliverCode(ctx, codeKey.identifier, { text, language, reference: id }).catch(async (error: unknown) => {
    // Nothing was sent, so the try costs neither the person nor everybody else one of theirs. The pause stays.
    await budget.giveBack();
    await giveBackOfDay?.();
    throw error;
  });
  return { expiresAt: expiresAt.toISOString(), resendAfterSeconds };
}

/** Refuses to send a code that could not be used, with the seconds to wait. */
async function refuseLockedOut(ctx: AnyoneCtx, codeKey: CodeKey): Promise<void> {
  const until = await lockedOutUntil(ctx.db, ctx, codeKey);
  if (!until) return;
  throw new Refusal('too_many_tries', undefined, Math.ceil((until.getTime() - ctx.now().getTime()) / 1000));
}

async function deliverCode(
  ctx: AnyoneCtx,
  { kind, value }: Identifier,
  { text, language, reference }: { text: string; language: Language; reference: string },
): Promise<void> {
  const { sms, email } = ctx.providers;
  const timeout = AbortSignal.timeout(carrierMs);
  try {
    if (kind === 'email')
      await email.send(
        { to: value, subject: ctx.env.productName, text, language, reference, isCounted: true },
        timeout,
      );
    else await sms.send({ from: ctx.env.codeNumber, to: value, body: text, reference }, timeout);
  } catch (error) {
    ctx.log.warn({ err: describeError(error as Error), code: reference }, 'sign-in code may not have been sent');
    const isDefinitelyUnsent = error instanceof SmsRefused || error instanceof EmailRefused;
    if (isDefinitelyUnsent) throw new Refusal('code_not_sent', undefined, resendAfterSeconds);
  }
}

/** The message with the code. The digits appear once. */
export function codeText(product: string, code: string, language: Language): string {
  const minutes = codeLifeSeconds / 60;
  return language === 'es'
    ? `Su código de ${product} es ${code}. Es válido por ${minutes} minutos.`
    : `Your ${product} code is ${code}. It is valid for ${minutes} minutes.`;
}

export type CodeOutcome = 'right' | 'wrong_code' | 'code_expired' | 'code_used_up' | 'too_many_tries';

/**
 * Checks a code against the newest one sent. The lock on the tries row admits one guess at a time, so parallel guesses cannot outrun the
 * counters. Every failure runs the same statements, whether or not a code was sent. Returns instead of throwing: a wrong try must be
 * committed to count.
 */
export async function tryCode(
  tx: Tx,
  services: Pick<Services, 'env' | 'id' | 'now'>,
  codeKey: CodeKey,
  code: string,
): Promise<CodeOutcome> {
  const { purpose, scope } = codeKey;
  const { value } = codeKey.identifier;
  const at = services.now();
  const triesKey = keyedHash(services.env.secrets.session, 'code tries', value, purpose, scope);
  const counter = await lockTries(tx, triesKey, at);
  const sent = await latestCode(tx, value, purpose, scope);
  const isLockedOut = (await lockedOutUntil(tx, services, codeKey)) !== null;
  const codeId = sent?.id ?? null;
  const tries = counter.codeId === codeId ? counter.tries : 0;
  const isRight = sameBytes(sent?.codeHash ?? noHash, hashOf(services, codeKey, code));

  const obstacle = obstacleOf(sent, { at, tries, isLockedOut });
  const outcome = obstacle ?? (isRight ? 'right' : 'wrong_code');
  await saveTries(tx, triesKey, { codeId, tries: obstacle === null ? tries + 1 : tries });
  if (sent && outcome === 'right') await setCodeUsed(tx, sent.id, at);
  else await addFailure(tx, { id: services.id(), identifier: value, scope, at, isCounted: obstacle === null });
  return outcome;
}

/**
 * `tryCode` for a caller who is not signed in: every failure is `wrong_code`. Separate refusals for expired and used-up codes would tell a
 * stranger that somebody requested one.
 */
export async function tryCodeHidingReason(...args: Parameters<typeof tryCode>): Promise<'right' | 'wrong_code'> {
  return (await tryCode(...args)) === 'right' ? 'right' : 'wrong_code';
}

/** Why no code can succeed now, right or wrong; null if the code may be checked. */
function obstacleOf(
  sent: { usedAt: Date | null; expiresAt: Date } | undefined,
  { at, tries, isLockedOut }: { at: Date; tries: number; isLockedOut: boolean },
): Exclude<CodeOutcome, 'right'> | null {
  if (!sent || sent.usedAt !== null) return 'wrong_code';
  if (sent.expiresAt <= at) return 'code_expired';
  if (tries >= triesPerCode) return 'code_used_up';
  return isLockedOut ? 'too_many_tries' : null;
}

/** The end of the lockout after too many failures in a day; null without a lockout. */
async function lockedOutUntil(
  db: Db,
  { env, now }: Pick<Services, 'env' | 'now'>,
  { identifier, scope }: CodeKey,
): Promise<Date | null> {
  const since = new Date(now().getTime() - dayMs);
  const skipped = (env.demo ? demoFailuresPerDay : failuresPerDay) - 1;
  const failedAt = await failureBefore(db, { identifier: identifier.value, scope, since, skipped });
  return failedAt && new Date(failedAt.getTime() + dayMs);
}

/** Compared with when no code was sent, so that the work is the same. */
const noHash = Buffer.alloc(32);

function hashOf({ env }: Pick<Services, 'env'>, { identifier, purpose, scope }: CodeKey, code: string): Buffer {
  return keyedHash(env.secrets.session, identifier.value, purpose, scope, code);
}
