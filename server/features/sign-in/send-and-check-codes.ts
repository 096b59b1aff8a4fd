import { codeLifeSeconds, resendAfterSeconds, triesPerCode } from '#contract/sign-in/code.ts';
import type { Language } from '#contract/refusals.ts';
import type { AnyoneCtx, Services } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { describeError } from '#server/kit/log.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { keyedHash, newCode, sameBytes } from '#server/kit/crypto/secret.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { takeCodeBudget, type Scope } from './code-limits.ts';
import type { Identifier } from './identifier.ts';
import { languageOf } from './person-sql.ts';
import { addCode, addFailure, failureBefore, latestCode, lockTries, saveTries, setCodeUsed } from './code-sql.ts';

const failuresPerDay = 15;
/** All visitors of the demo try the same few identifiers. */
const demoFailuresPerDay = 1_000;
/** Longer than this nobody waits for a carrier: the code may still arrive, and another can be asked for. */
const carrierMs = 10_000;
const dayMs = 86_400_000;

/** What a code opens, for whom, and who asked for it. */
export interface Lock {
  identifier: Identifier;
  purpose: 'sign-in' | 'unlock' | 'partner';
  scope: Scope;
}

/** Makes a code, which replaces the earlier ones, and sends it after the commit. Known and unknown identifiers take the same way. */
export async function sendCode(ctx: AnyoneCtx, lock: Lock): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  await takeCodeBudget(ctx, lock.identifier, lock.scope);
  await refuseLockedOut(ctx, lock);
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

/** A code that could open nothing is not sent: its request is refused with the seconds to wait. */
async function refuseLockedOut(ctx: AnyoneCtx, lock: Lock): Promise<void> {
  const until = await lockedOutUntil(ctx.db, ctx, lock);
  if (!until) return;
  throw new Refusal('too_many_tries', undefined, Math.ceil((until.getTime() - ctx.now().getTime()) / 1000));
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
 * Tries the newest code that was sent. The lock on the tries' row lets one guess at a time through, so parallel guesses cannot outrun the
 * counters. Every failure takes the same statements, with a code or without one. Returns instead of throwing: a wrong try must be
 * committed to count.
 */
export async function tryCode(
  tx: Tx,
  services: Pick<Services, 'env' | 'id' | 'now'>,
  lock: Lock,
  code: string,
): Promise<Outcome> {
  const { purpose, scope } = lock;
  const { value } = lock.identifier;
  const at = services.now();
  const key = keyedHash(services.env.secrets.session, 'code tries', value, purpose, scope);
  const counted = await lockTries(tx, key, at);
  const sent = await latestCode(tx, value, purpose, scope);
  const isLockedOut = (await lockedOutUntil(tx, services, lock)) !== null;
  const codeId = sent?.id ?? null;
  const tries = counted.codeId === codeId ? counted.tries : 0;
  const isRight = sameBytes(sent?.codeHash ?? noHash, hashOf(services, lock, code));

  const obstacle = obstacleOf(sent, { at, tries, isLockedOut });
  const outcome = obstacle ?? (isRight ? 'right' : 'wrong_code');
  await saveTries(tx, key, { codeId, tries: obstacle === null ? tries + 1 : tries });
  if (sent && outcome === 'right') await setCodeUsed(tx, sent.id, at);
  else await addFailure(tx, { id: services.id(), identifier: value, scope, at, isCounted: obstacle === null });
  return outcome;
}

/**
 * The same for somebody who is not signed in, who learns only that the code was not right. A refusal of their own for an expired or
 * used-up code would tell a stranger that somebody asked for one.
 */
export async function tryCodeOfStranger(...args: Parameters<typeof tryCode>): Promise<'right' | 'wrong_code'> {
  return (await tryCode(...args)) === 'right' ? 'right' : 'wrong_code';
}

/** Why the code opens nothing, right or wrong; null when it may be tried. */
function obstacleOf(
  sent: { usedAt: Date | null; expiresAt: Date } | undefined,
  { at, tries, isLockedOut }: { at: Date; tries: number; isLockedOut: boolean },
): Exclude<Outcome, 'right'> | null {
  if (!sent || sent.usedAt !== null) return 'wrong_code';
  if (sent.expiresAt <= at) return 'code_expired';
  if (tries >= triesPerCode) return 'code_used_up';
  return isLockedOut ? 'too_many_tries' : null;
}

/** Until when the day's failures let nobody in; null when there were fewer. */
async function lockedOutUntil(
  db: Db,
  { env, now }: Pick<Services, 'env' | 'now'>,
  { identifier, scope }: Lock,
): Promise<Date | null> {
  const since = new Date(now().getTime() - dayMs);
  const skipped = (env.demo ? demoFailuresPerDay : failuresPerDay) - 1;
  const failedAt = await failureBefore(db, { identifier: identifier.value, scope, since, skipped });
  return failedAt && new Date(failedAt.getTime() + dayMs);
}

/** Stands in for the hash of a code where none was sent. */
const noHash = Buffer.alloc(32);

function hashOf({ env }: Pick<Services, 'env'>, { identifier, purpose, scope }: Lock, code: string): Buffer {
  return keyedHash(env.secrets.session, identifier.value, purpose, scope, code);
}
