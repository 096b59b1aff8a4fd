import { randomBytes } from 'node:crypto';
import type { Security } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx, Services, PersonCtx } from '#server/context.ts';
import { identitiesOf } from '#server/identities.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { encrypt, decrypt } from '#server/kit/crypto/encrypt.ts';
import { lockAuthenticator, saveAuthenticator, setAuthenticatorAt, useRecoveryCode } from './authenticator-sql.ts';
import {
  addFailure,
  failuresSince,
  findPerson,
  auditInOffice,
  describeSession,
  setSecondStep,
  setUnlocked,
  requireCaller,
} from '#server/features/sign-in/index.ts';
import { notifyPerson } from './security-emails.ts';
import { requireRecentProof } from './proof.ts';
import { createRecoveryCodes, hashOfRecoveryCode } from './recovery-codes.ts';
import { describeSecurity } from './security.ts';
import { base32, otpauthUri, stepOfCode } from './totp.ts';

/** Wrong codes a person may enter. Reachable only after the first sign-in step, so a stranger cannot use up the tries. */
const failureLimits = [
  { failures: 10, minutes: 15 },
  { failures: 30, minutes: 24 * 60 },
];

/** Creates a new secret for the caller's app. The current one stays valid until a code of the new one is confirmed. */
export async function startAuthenticator(ctx: PersonCtx): Promise<{ secret: string; uri: string; qrSvg: string }> {
  const { personId, personName } = requireRecentProof(ctx);
  const secret = randomBytes(20);
  await ctx.db.transaction().execute(async (tx) => {
    await lockAuthenticator(tx, personId);
    await saveAuthenticator(tx, personId, { pendingSecret: encryptSecret(ctx, personId, secret) });
  });
  const [first] = await identitiesOf(ctx.db, personId);
  const uri = otpauthUri(ctx.env.productName, first?.value ?? personName, secret);
  const { default: QRCode } = await import('qrcode');
  const qrSvg = await QRCode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
  return { secret: base32(secret), uri, qrSvg };
}

/** Activates the app. This session has passed the second step; the person's other devices must enter a code. */
export async function confirmAuthenticator(
  ctx: PersonCtx,
  code: string,
): Promise<{ recoveryCodes: string[]; security: Security }> {
  const caller = requireRecentProof(ctx);
  const { personId, sessionId } = caller;
  const confirmed = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockAuthenticator(tx, personId);
    if (await hasTooManyFailures(tx, ctx, personId)) return 'too_many_tries';
    const secret = row.pendingSecret && decryptSecret(ctx, personId, row.pendingSecret);
    const step = secret && stepOfCode(secret, code, ctx.now(), 0);
    if (!secret || step === null) return countFailure(tx, ctx, personId);
    await saveAuthenticator(tx, personId, {
      secret: encryptSecret(ctx, personId, secret),
      pendingSecret: null,
      lastStep: step,
    });
    await setAuthenticatorAt(tx, personId, ctx.now());
    await setSecondStep(tx, sessionId, ctx.now());
    await auditInOffice(tx, ctx, caller, 'authenticator.set', { subject: personId });
    return { recoveryCodes: await createRecoveryCodes(tx, ctx, personId) };
  });
  if (typeof confirmed === 'string') throw new Refusal(confirmed);
  await notifyPerson(ctx, personId, 'authenticator');
  return { ...confirmed, security: await describeSecurity(ctx) };
}

/** Replaces the recovery codes of a person who has the app. */
export async function renewRecoveryCodes(ctx: PersonCtx): Promise<{ recoveryCodes: string[]; security: Security }> {
  const { personId } = requireRecentProof(ctx);
  const { authenticatorAt } = await findPerson(ctx.db, personId);
  if (authenticatorAt === null) throw new Refusal('authenticator_missing');
  const recoveryCodes = await ctx.db.transaction().execute((tx) => createRecoveryCodes(tx, ctx, personId));
  return { recoveryCodes, security: await describeSecurity(ctx) };
}

export async function removeAuthenticator(ctx: PersonCtx): Promise<Security> {
  const caller = requireRecentProof(ctx);
  const { personId } = caller;
  const { authenticatorAt } = await findPerson(ctx.db, personId);
  if (authenticatorAt === null) return describeSecurity(ctx);
  await ctx.db.transaction().execute(async (tx) => {
    await setAuthenticatorAt(tx, personId, null);
    await auditInOffice(tx, ctx, caller, 'authenticator.remove', { subject: personId });
  });
  await notifyPerson(ctx, personId, 'authenticator-removed');
  return describeSecurity(ctx);
}

/** Unlocks, or completes the second sign-in step, with six digits of the app or a recovery code. Each works once. */
export async function unlockWithAuthenticator(ctx: AnyoneCtx, enteredCode: string): Promise<Session> {
  const caller = requireCaller(ctx);
  const { personId, sessionId } = caller;
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockAuthenticator(tx, personId);
    if (await hasTooManyFailures(tx, ctx, personId)) return 'too_many_tries';
    const code = enteredCode.replaceAll(/[\s-]/g, '').toUpperCase();
    const secret = row.secret && decryptSecret(ctx, personId, row.secret);
    const step = secret && /^\d{6}$/.test(code) ? stepOfCode(secret, code, ctx.now(), row.lastStep) : null;
    const recovered =
      secret &&
      step === null &&
      (await useRecoveryCode(tx, personId, hashOfRecoveryCode(ctx, personId, code), ctx.now()));
    if (step === null && !recovered) return countFailure(tx, ctx, personId);
    if (step !== null) await saveAuthenticator(tx, personId, { lastStep: step });
    await setUnlocked(tx, sessionId, ctx.now(), { proves: true, secondStep: true });
    if (caller.locked) await auditInOffice(tx, ctx, caller, 'session.unlock', { details: { by: 'authenticator' } });
    return recovered ? 'recovered' : 'right';
  });
  if (outcome !== 'right' && outcome !== 'recovered') throw new Refusal(outcome);
  if (outcome === 'recovered') await notifyPerson(ctx, personId, 'recovery-code');
  return describeSession(ctx, { ...caller, locked: false, secondStepDue: false, activeAt: ctx.now() });
}

async function hasTooManyFailures(tx: Tx, { now }: Pick<Services, 'now'>, personId: string): Promise<boolean> {
  for (const { failures, minutes } of failureLimits) {
    const since = new Date(now().getTime() - minutes * 60_000);
    if ((await failuresSince(tx, personId, 'authenticator', since)) >= failures) return true;
  }
  return false;
}

async function countFailure(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  personId: string,
): Promise<'wrong_code'> {
  await addFailure(tx, { id: id(), identifier: personId, scope: 'authenticator', at: now(), isCounted: true });
  return 'wrong_code';
}

const purposeOf = (personId: string) => `authenticator ${personId}`;
const encryptSecret = ({ env }: Pick<Services, 'env'>, personId: string, secret: Buffer) =>
  encrypt(env.secrets.session, purposeOf(personId), secret);
const decryptSecret = ({ env }: Pick<Services, 'env'>, personId: string, encrypted: Buffer) =>
  decrypt(env.secrets.session, purposeOf(personId), encrypted);
