import { randomBytes, scrypt } from 'node:crypto';
import { isGuessablePin, triesPerPin } from '#contract/sign-in/pin.ts';
import type { Security } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx, Caller, PersonCtx, Services } from '#server/context.ts';
import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';
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
import { pinKeyHere } from './pin-key.ts';
import { deletePin, findPin, lockPin, savePin, saveWrongTries, type PinKey } from './pin-sql.ts';
import { requireRecentProof } from './proof.ts';
import { notifyPerson } from './security-emails.ts';
import { describeSecurity } from './security.ts';

/** Right tries start the count of five again, so somebody could try four between two of them: this many a day remove the PIN too. */
const wrongTriesPerDay = 15;
/** scrypt costs 50 ms and 16 MB a try. */
const tries = { name: 'pin-tries', points: 60, seconds: 3600 };

/** Sets the caller's PIN on this device. A code, passkey or authenticator proved who they are within ten minutes. */
export async function setPin(ctx: PersonCtx, pin: string): Promise<Security> {
  const caller = requireRecentProof(ctx);
  if (isGuessablePin(pin)) throw new Refusal('pin_guessable');
  const key = await pinKeyHere(ctx, caller);
  if (!key) throw new Refusal('pin_not_here');
  await ctx.limits.take(tries, caller.personId);
  const salt = randomBytes(16);
  const pinHash = await hashPin(ctx, key, salt, pin);
  await ctx.db.transaction().execute(async (tx) => {
    await savePin(tx, key, { pinHash, salt, setAt: ctx.now() });
    await auditInOffice(tx, ctx, { ...caller, sessionId: key.deviceId }, 'pin.set');
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
      await auditInOffice(tx, ctx, { ...caller, sessionId: key.deviceId }, 'pin.remove');
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
  await ctx.limits.take(tries, caller.personId);
  const key = await pinKeyHere(ctx, caller);
  const saved = key && (await findPin(ctx.db, key));
  if (!saved) throw new Refusal('pin_missing');
  const hash = await hashPin(ctx, key, saved.salt, pin);
  const outcome = await ctx.db.transaction().execute((tx) => tryPin(tx, ctx, caller, { key, hash, salt: saved.salt }));
  if (outcome !== 'right') throw new Refusal(outcome);
  return describeSession(ctx, { ...caller, locked: false, activeAt: ctx.now() });
}

/** Returns instead of throwing: a wrong try must be committed to count. */
async function tryPin(
  tx: Tx,
  ctx: AnyoneCtx,
  caller: Caller,
  { key, hash, salt }: { key: PinKey; hash: Buffer; salt: Buffer },
): Promise<'right' | 'wrong_pin' | 'pin_missing'> {
  const pin = await lockPin(tx, key);
  // Another try removed it, or the person set a new one meanwhile.
  if (!pin || !sameBytes(pin.salt, salt)) return 'pin_missing';
  if (sameBytes(pin.pinHash, hash)) {
    await saveWrongTries(tx, key, 0);
    await setUnlocked(tx, caller.sessionId, ctx.now(), { proves: false, secondStep: false });
    await auditInOffice(tx, ctx, caller, 'session.unlock');
    return 'right';
  }
  const scope = `pin:${key.deviceId}`;
  await addFailure(tx, { id: ctx.id(), identifier: caller.personId, scope, at: ctx.now(), isCounted: true });
  const today = await failuresSince(tx, caller.personId, scope, new Date(ctx.now().getTime() - 86_400_000));
  const wrongTries = pin.wrongTries + 1;
  if (wrongTries < triesPerPin && today < wrongTriesPerDay) {
    await saveWrongTries(tx, key, wrongTries);
    return 'wrong_pin';
  }
  await deletePin(tx, key);
  await auditInOffice(tx, ctx, { ...caller, sessionId: key.deviceId }, 'pin.void');
  return 'pin_missing';
}

/** A million PINs are few: the key is outside the database, and scrypt makes each guess slow for those who have both. */
function hashPin({ env }: Pick<Services, 'env'>, { deviceId, personId }: PinKey, salt: Buffer, pin: string) {
  const keyed = keyedHash(env.secrets.session, 'device pin', deviceId, personId, pin);
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(keyed, salt, 32, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
