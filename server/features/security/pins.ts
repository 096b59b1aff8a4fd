import { randomBytes } from 'node:crypto';
import { isGuessablePin, pinProofSeconds, triesPerPin } from '#contract/sign-in/pin.ts';
import type { Security } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx, Caller, PersonCtx } from '#server/context.ts';
import { sameBytes } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import {
  addFailure,
  auditInOffice,
  describeSession,
  failuresSince,
  requireCaller,
  setUnlocked,
} from '#server/features/sign-in/index.ts';
import { hashPin } from './pin-hash.ts';
import { pinKeyHere } from './pin-key.ts';
import { deletePin, findPin, lockPin, savePin, saveWrongTries, type PinKey } from './pin-sql.ts';
import { requireRecentProof } from './proof.ts';
import { notifyPerson } from './security-emails.ts';
import { describeSecurity } from './security.ts';

/** Each try costs a hash. */
const tries = { name: 'pin-tries', points: 60, seconds: 3600 };

/** Sets the caller's PIN on this device. A code, passkey or authenticator proved who they are within the last minute. */
export async function setPin(ctx: PersonCtx, pin: string): Promise<Security> {
  const caller = requireRecentProof(ctx, pinProofSeconds);
  if (isGuessablePin(pin)) throw new Refusal('pin_guessable');
  const key = await pinKeyHere(ctx, caller);
  if (!key) throw new Refusal('pin_not_here');
  await ctx.limits.take(tries, caller.personId);
  const salt = randomBytes(16);
  const pinHash = await hashPin(ctx, key, salt, pin);
  await ctx.db.transaction().execute(async (tx) => {
    await savePin(tx, key, { pinHash, salt, setAt: ctx.now() });
    await auditPin(tx, ctx, key, 'pin.set');
  });
  await notifyPerson(ctx, caller.personId, 'pin');
  return describeSecurity(ctx);
}

/** Removes the caller's PIN on this device. It only takes a way in away, so no proof is needed. */
export async function removePin(ctx: PersonCtx): Promise<Security> {
  const { caller } = ctx;
  const key = await pinKeyHere(ctx, caller);
  if (key)
    await ctx.db.transaction().execute(async (tx) => {
      if (!(await deletePin(tx, key))) return;
      await auditPin(tx, ctx, key, 'pin.remove');
    });
  return describeSecurity(ctx);
}

/**
 * Unlocks with the PIN; the same session continues. It proves nothing else, and an unlocked session gets its own description without any
 * check, so that nobody can try PINs on a panel left open.
 */
export async function unlockWithPin(ctx: AnyoneCtx, pin: string): Promise<Session> {
  const caller = requireCaller(ctx);
  if (caller.secondStepDue) throw new Refusal('second_step_needed');
  if (!caller.locked) return describeSession(ctx, caller);
  const key = await pinKeyHere(ctx, caller);
  if (!key) throw new Refusal('pin_missing');
  // Somebody who stole only the session cookie must not use up the person's tries.
  await ctx.limits.take(tries, caller.personId);
  const saved = await findPin(ctx.db, key);
  if (!saved) throw new Refusal('pin_missing');
  const hash = await hashPin(ctx, key, saved.salt, pin);
  const outcome = await ctx.db.transaction().execute((tx) => tryPin(tx, ctx, caller, { key, hash, salt: saved.salt }));
  if (outcome === 'void') await notifyPerson(ctx, caller.personId, 'pin-void');
  if (outcome === 'right') return describeSession(ctx, { ...caller, locked: false, activeAt: ctx.now() });
  throw new Refusal(outcome === 'void' ? 'pin_missing' : outcome);
}

/** Returns instead of throwing: a wrong try must be committed to count. */
async function tryPin(
  tx: Tx,
  ctx: AnyoneCtx,
  caller: Caller,
  { key, hash, salt }: { key: PinKey; hash: Buffer; salt: Buffer },
): Promise<'right' | 'wrong_pin' | 'pin_missing' | 'void'> {
  const pin = await lockPin(tx, key);
  // Another try removed it, or the person set a new one meanwhile.
  if (!pin || !sameBytes(pin.salt, salt)) return 'pin_missing';
  if (sameBytes(pin.pinHash, hash)) {
    await saveWrongTries(tx, key, 0);
    await setUnlocked(tx, caller.sessionId, ctx.now(), { proves: false, secondStep: false });
    await auditInOffice(tx, ctx, caller, 'session.unlock', { details: { by: 'pin' } });
    return 'right';
  }
  await auditPin(tx, ctx, key, 'pin.wrong');
  const wrongTries = pin.wrongTries + 1;
  if (wrongTries < triesPerPin && (await countWrongTry(tx, ctx, key, salt)) < triesPerPin) {
    await saveWrongTries(tx, key, wrongTries);
    return 'wrong_pin';
  }
  await deletePin(tx, key);
  await auditPin(tx, ctx, key, 'pin.void');
  return 'void';
}

/**
 * Counts a wrong try and returns how many there were of this PIN in 24 hours: a right try starts the count in a row again, and a colleague
 * could guess four times between two of them. Each PIN has its own salt, so those of the PIN before do not count.
 */
async function countWrongTry(
  tx: Tx,
  { id, now }: AnyoneCtx,
  { deviceId, personId }: PinKey,
  salt: Buffer,
): Promise<number> {
  const scope = `pin:${deviceId}:${salt.toString('base64url')}`;
  await addFailure(tx, { id: id(), identifier: personId, scope, at: now(), isCounted: true });
  return failuresSince(tx, personId, scope, new Date(now().getTime() - 86_400_000));
}

/** The entry is about the person, and names the device. */
function auditPin(
  tx: Tx,
  ctx: AnyoneCtx,
  { deviceId, personId }: PinKey,
  action: `pin.${'set' | 'remove' | 'wrong' | 'void'}`,
): Promise<void> {
  return auditInOffice(tx, ctx, requireCaller(ctx), action, { subject: personId, details: { device: deviceId } });
}
