import type { SignedChallenge } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { newChallenge, type ChallengePurpose } from './challenges.ts';
import {
  deviceOf,
  openSession,
  finishSignIn,
  auditInOffice,
  describeSession,
  setUnlocked,
  requireCaller,
} from '#server/features/sign-in/index.ts';
import { findPasskey, passkeysOf, savePasskeyUse } from './passkey-sql.ts';
import { relyingParty, signedChallenge, webauthn } from './passkeys.ts';

const perNetwork = { name: 'passkey-network', points: 200, seconds: 600 };

/** The options a browser needs to sign in with any passkey of this installation. */
export async function requestPasskey(ctx: AnyoneCtx): Promise<{ options: Record<string, unknown> }> {
  return authenticationOptions(ctx, { purpose: 'sign-in', subject: null });
}

/** Signs in with a passkey, which counts as both sign-in steps. */
export async function verifyPasskey(
  ctx: AnyoneCtx,
  { response, bearer = false }: { response: SignedChallenge; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  const { passkey, counter } = await verifyResponse(ctx, response, { purpose: 'sign-in', subject: null });
  const device = await deviceOf(ctx);
  const { personId, personName } = passkey;
  const opened = await ctx.db.transaction().execute(async (tx) => {
    await savePasskeyUse(tx, passkey.id, counter, ctx.now());
    const who = { personId, personName, identityId: null, bothSteps: true };
    return openSession(tx, ctx, who, { device, bearer });
  });
  return finishSignIn(ctx, opened);
}

/** The options a browser needs to unlock with a passkey of the caller. */
export async function requestUnlockPasskey(ctx: AnyoneCtx): Promise<{ options: Record<string, unknown> }> {
  const { personId, sessionId } = requireCaller(ctx);
  const passkeys = await passkeysOf(ctx.db, personId);
  const allowCredentials = passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
  return authenticationOptions(ctx, { purpose: 'unlock', subject: sessionId }, allowCredentials);
}

/** Unlocks with a passkey; the same session continues. */
export async function unlockWithPasskey(ctx: AnyoneCtx, response: SignedChallenge): Promise<Session> {
  const caller = requireCaller(ctx);
  const { passkey, counter } = await verifyResponse(ctx, response, { purpose: 'unlock', subject: caller.sessionId });
  if (passkey.personId !== caller.personId) throw new Refusal('passkey_refused');
  await ctx.db.transaction().execute(async (tx) => {
    await savePasskeyUse(tx, passkey.id, counter, ctx.now());
    await setUnlocked(tx, caller.sessionId, ctx.now(), { proves: true, secondStep: true });
    if (caller.locked) await auditInOffice(tx, ctx, caller, 'session.unlock', { details: { by: 'passkey' } });
  });
  return describeSession(ctx, { ...caller, locked: false, activeAt: ctx.now() });
}

async function authenticationOptions(
  ctx: AnyoneCtx,
  purpose: ChallengePurpose,
  allowCredentials: { id: string; transports: string[] }[] = [],
): Promise<{ options: Record<string, unknown> }> {
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).rpID,
    challenge: new Uint8Array(await newChallenge(ctx, purpose)),
    userVerification: 'required',
    allowCredentials,
  });
  return { options: { ...options } };
}

/** Returns the passkey that signed our challenge and its new counter; refuses every other signature. */
async function verifyResponse(ctx: AnyoneCtx, response: SignedChallenge, purpose: ChallengePurpose) {
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  const expectedChallenge = await signedChallenge(ctx, response, purpose);
  const passkey = await findPasskey(ctx.db, response.id);
  if (!passkey) throw new Refusal('passkey_refused');
  const { rpID, origin } = relyingParty(ctx);
  const { verifyAuthenticationResponse } = await webauthn();
  const verification = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {}, authenticatorAttachment: undefined } as never,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(() => ({ verified: false as const, authenticationInfo: null }));
  if (!verification.verified || !verification.authenticationInfo) throw new Refusal('passkey_refused');
  return { passkey, counter: verification.authenticationInfo.newCounter };
}
