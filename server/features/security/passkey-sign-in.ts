import type { SignedChallenge } from '#contract/sign-in/second-ways.ts';
import type { Session } from '#contract/sign-in/code.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { networkOf } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { newChallenge, type Purpose } from './challenges.ts';
import {
  deviceOf,
  openSession,
  welcome,
  recordInOffice,
  describeSession,
  setUnlocked,
  callerOf,
} from '#server/features/sign-in/index.ts';
import { findPasskey, passkeysOf, passkeyUsed } from './passkey-sql.ts';
import { relyingParty, signedChallenge, webauthn } from './passkeys.ts';

const perNetwork = { name: 'passkey-network', points: 200, seconds: 600 };

/** What a browser needs to sign in: any passkey it has of this installation. */
export async function requestPasskey(ctx: AnyoneCtx): Promise<{ options: Record<string, unknown> }> {
  return optionsFor(ctx, { purpose: 'sign-in', subject: null });
}

/** Signs in with a passkey, which counts as both steps. */
export async function verifyPasskey(
  ctx: AnyoneCtx,
  { response, bearer = false }: { response: SignedChallenge; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  const { passkey, counter } = await check(ctx, response, { purpose: 'sign-in', subject: null });
  const device = await deviceOf(ctx);
  const { personId, personName } = passkey;
  const opened = await ctx.db.transaction().execute(async (tx) => {
    await passkeyUsed(tx, passkey.id, counter, ctx.now());
    const who = { personId, personName, identityId: null, bothSteps: true };
    return openSession(tx, ctx, who, { device, bearer });
  });
  return welcome(ctx, opened);
}

/** What a browser needs to unlock: a passkey of the person who is signed in. */
export async function requestUnlockPasskey(ctx: AnyoneCtx): Promise<{ options: Record<string, unknown> }> {
  const { personId, sessionId } = callerOf(ctx);
  const known = await passkeysOf(ctx.db, personId);
  const allowCredentials = known.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
  return optionsFor(ctx, { purpose: 'unlock', subject: sessionId }, allowCredentials);
}

/** The person proved it is them: the same session goes on. */
export async function unlockWithPasskey(ctx: AnyoneCtx, response: SignedChallenge): Promise<Session> {
  const caller = callerOf(ctx);
  const { passkey, counter } = await check(ctx, response, { purpose: 'unlock', subject: caller.sessionId });
  if (passkey.personId !== caller.personId) throw new Refusal('passkey_refused');
  await ctx.db.transaction().execute(async (tx) => {
    await passkeyUsed(tx, passkey.id, counter, ctx.now());
    await setUnlocked(tx, caller.sessionId, ctx.now(), { proves: true, secondStep: true });
    if (caller.locked) await recordInOffice(tx, ctx, caller, 'session.unlock');
  });
  return describeSession(ctx, { ...caller, locked: false, activeAt: ctx.now() });
}

async function optionsFor(
  ctx: AnyoneCtx,
  purpose: Purpose,
  allowCredentials: { id: string; transports: string[] }[] = [],
): Promise<{ options: Record<string, unknown> }> {
  await ctx.limits.take(perNetwork, networkOf(ctx.http.address));
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).rpID,
    challenge: new Uint8Array(await newChallenge(ctx, purpose)),
    userVerification: 'required',
    allowCredentials,
  });
  return { options: { ...options } };
}

/** The passkey that signed our challenge, and its counter from now on; refuses every other signature. */
async function check(ctx: AnyoneCtx, response: SignedChallenge, purpose: Purpose) {
  await ctx.limits.take(perNetwork, networkOf(ctx.http.address));
  const expectedChallenge = await signedChallenge(ctx, response, purpose);
  const passkey = await findPasskey(ctx.db, response.id);
  if (!passkey) throw new Refusal('passkey_refused');
  const { rpID, origin } = relyingParty(ctx);
  const { verifyAuthenticationResponse } = await webauthn();
  const checked = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {}, authenticatorAttachment: undefined } as never,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports as never,
    },
  }).catch(() => ({ verified: false as const, authenticationInfo: null }));
  if (!checked.verified || !checked.authenticationInfo) throw new Refusal('passkey_refused');
  return { passkey, counter: checked.authenticationInfo.newCounter };
}
