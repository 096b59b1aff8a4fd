import { randomBytes } from 'node:crypto';
import type { Security } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/code.ts';
import type { AnyoneCtx, Services, PersonCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { encrypt, decrypt } from '#server/kit/crypto/encrypt.ts';
import { lockAuthenticator, saveAuthenticator, setAuthenticatorAt, useRecoveryCode } from './authenticator-sql.ts';
import {
  addFailure,
  failuresSince,
  findPerson,
  identitiesOf,
  recordInOffice,
  describeSession,
  setSecondStep,
  setUnlocked,
  callerOf,
} from '#server/features/sign-in/index.ts';
import { tellPerson } from './security-emails.ts';
import { mustHaveProved } from './proof.ts';
import { giveRecoveryCodes, hashOfRecoveryCode } from './recovery-codes.ts';
import { security } from './security.ts';
import { base32, otpauthUri, stepOfCode } from './totp.ts';

/** Wrong codes a person may enter. Only who took the first step gets here, so nobody can use them up for somebody else. */
const failuresAtMost = [
  { failures: 10, minutes: 15 },
  { failures: 30, minutes: 24 * 60 },
];

/** A new secret for the caller's app. The one in force stays until a code of the new one is confirmed. */
export async function startAuthenticator(ctx: PersonCtx): Promise<{ secret: string; uri: string; qrSvg: string }> {
  const { personId, personName } = mustHaveProved(ctx);
  const secret = randomBytes(20);
  await ctx.db.transaction().execute(async (tx) => {
    await lockAuthenticator(tx, personId);
    await saveAuthenticator(tx, personId, { pendingSecret: sealed(ctx, personId, secret) });
  });
  const [first] = await identitiesOf(ctx.db, personId);
  const uri = otpauthUri(ctx.env.productName, first?.value ?? personName, secret);
  const { default: QRCode } = await import('qrcode');
  const qrSvg = await QRCode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
  return { secret: base32(secret), uri, qrSvg };
}

/** Puts the app in force. This session took the second step by it; the person's other devices are asked for it. */
export async function confirmAuthenticator(
  ctx: PersonCtx,
  code: string,
): Promise<{ recoveryCodes: string[]; security: Security }> {
  const caller = mustHaveProved(ctx);
  const { personId, sessionId } = caller;
  const confirmed = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockAuthenticator(tx, personId);
    if (await usedUp(tx, ctx, personId)) return 'too_many_tries';
    const secret = row.pendingSecret && unsealed(ctx, personId, row.pendingSecret);
    const step = secret && stepOfCode(secret, code, ctx.now(), 0);
    if (!secret || step === null) return failed(tx, ctx, personId);
    await saveAuthenticator(tx, personId, {
      secret: sealed(ctx, personId, secret),
      pendingSecret: null,
      lastStep: step,
    });
    await setAuthenticatorAt(tx, personId, ctx.now());
    await setSecondStep(tx, sessionId, ctx.now());
    await recordInOffice(tx, ctx, { ...caller, sessionId: personId }, 'authenticator.set');
    return { recoveryCodes: await giveRecoveryCodes(tx, ctx, personId) };
  });
  if (typeof confirmed === 'string') throw new Refusal(confirmed);
  await tellPerson(ctx, personId, 'authenticator');
  return { ...confirmed, security: await security(ctx) };
}

/** New recovery codes for a person who has the app; the earlier ones are void. */
export async function renewRecoveryCodes(ctx: PersonCtx): Promise<{ recoveryCodes: string[]; security: Security }> {
  const { personId } = mustHaveProved(ctx);
  const { authenticatorAt } = await findPerson(ctx.db, personId);
  if (authenticatorAt === null) throw new Refusal('authenticator_missing');
  const recoveryCodes = await ctx.db.transaction().execute((tx) => giveRecoveryCodes(tx, ctx, personId));
  return { recoveryCodes, security: await security(ctx) };
}

export async function removeAuthenticator(ctx: PersonCtx): Promise<Security> {
  const caller = mustHaveProved(ctx);
  const { personId } = caller;
  const { authenticatorAt } = await findPerson(ctx.db, personId);
  if (authenticatorAt === null) return security(ctx);
  await ctx.db.transaction().execute(async (tx) => {
    await setAuthenticatorAt(tx, personId, null);
    await recordInOffice(tx, ctx, { ...caller, sessionId: personId }, 'authenticator.remove');
  });
  await tellPerson(ctx, personId, 'authenticator-removed');
  return security(ctx);
}

/** Unlocks, or takes the second step of signing in: six digits of the app, or a recovery code once. */
export async function unlockWithAuthenticator(ctx: AnyoneCtx, given: string): Promise<Session> {
  const caller = callerOf(ctx);
  const { personId, sessionId } = caller;
  const tried = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockAuthenticator(tx, personId);
    if (await usedUp(tx, ctx, personId)) return 'too_many_tries';
    const code = given.replaceAll(/[\s-]/g, '').toUpperCase();
    const secret = row.secret && unsealed(ctx, personId, row.secret);
    const step = secret && /^\d{6}$/.test(code) ? stepOfCode(secret, code, ctx.now(), row.lastStep) : null;
    const recovered =
      secret &&
      step === null &&
      (await useRecoveryCode(tx, personId, hashOfRecoveryCode(ctx, personId, code), ctx.now()));
    if (step === null && !recovered) return failed(tx, ctx, personId);
    if (step !== null) await saveAuthenticator(tx, personId, { lastStep: step });
    await setUnlocked(tx, sessionId, ctx.now(), { proves: true, secondStep: true });
    if (caller.locked) await recordInOffice(tx, ctx, caller, 'session.unlock');
    return recovered ? 'recovered' : 'right';
  });
  if (tried !== 'right' && tried !== 'recovered') throw new Refusal(tried);
  if (tried === 'recovered') await tellPerson(ctx, personId, 'recovery-code');
  return describeSession(ctx, { ...caller, locked: false, secondStepDue: false, activeAt: ctx.now() });
}

async function usedUp(tx: Tx, { now }: Pick<Services, 'now'>, personId: string): Promise<boolean> {
  for (const { failures, minutes } of failuresAtMost) {
    const since = new Date(now().getTime() - minutes * 60_000);
    if ((await failuresSince(tx, personId, 'authenticator', since)) >= failures) return true;
  }
  return false;
}

async function failed(tx: Tx, { id, now }: Pick<Services, 'id' | 'now'>, personId: string): Promise<'wrong_code'> {
  await addFailure(tx, { id: id(), identifier: personId, scope: 'authenticator', at: now(), isCounted: true });
  return 'wrong_code';
}

const purposeOf = (personId: string) => `authenticator ${personId}`;
const sealed = ({ env }: Pick<Services, 'env'>, personId: string, secret: Buffer) =>
  encrypt(env.secrets.session, purposeOf(personId), secret);
const unsealed = ({ env }: Pick<Services, 'env'>, personId: string, kept: Buffer) =>
  decrypt(env.secrets.session, purposeOf(personId), kept);
