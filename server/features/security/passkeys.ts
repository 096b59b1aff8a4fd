import { passkeysAtMost, type NewCredential, type Security } from '#contract/sign-in/second-ways.ts';
import type { AnyoneCtx, Services, PersonCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { newChallenge, takeChallenge, type Purpose } from './challenges.ts';
import { deviceWords, identitiesOf, recordInOffice } from '#server/features/sign-in/index.ts';
import { tellPerson } from './security-emails.ts';
import { deletePasskey, insertPasskey, passkeysOf } from './passkey-sql.ts';
import { mustHaveProved } from './proof.ts';
import { security } from './security.ts';

/** Loaded when somebody uses a passkey: it is a tenth of a second, and most never do. */
export const webauthn = () => import('@simplewebauthn/server');

/** Who asks for passkeys: this installation, by its public address. */
export function relyingParty({ env }: Pick<Services, 'env'>) {
  const { origin, hostname } = new URL(env.publicUrl);
  return { rpID: hostname, origin, rpName: env.productName };
}

/** What a browser needs to make a passkey for the caller. */
export async function startPasskey(ctx: PersonCtx): Promise<{ options: Record<string, unknown> }> {
  const { personId, personName, sessionId } = mustHaveProved(ctx);
  const known = await passkeysOf(ctx.db, personId);
  if (known.length >= passkeysAtMost) throw new Refusal('too_many_passkeys');
  const [first] = await identitiesOf(ctx.db, personId);
  const { rpID, rpName } = relyingParty(ctx);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userName: first?.value ?? personName,
    userDisplayName: personName,
    userID: new Uint8Array(Buffer.from(personId.replaceAll('-', ''), 'hex')),
    challenge: new Uint8Array(await newChallenge(ctx, { purpose: 'register', subject: sessionId })),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

/** Keeps a passkey the browser made, and tells its owner. */
export async function addPasskey(
  ctx: PersonCtx,
  { name, response }: { name?: string | undefined; response: NewCredential },
): Promise<Security> {
  const caller = mustHaveProved(ctx);
  const { personId, sessionId } = caller;
  const expectedChallenge = await signedChallenge(ctx, response, { purpose: 'register', subject: sessionId });
  const { rpID, origin } = relyingParty(ctx);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {}, authenticatorAttachment: undefined } as never,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw new Refusal('passkey_refused');
  if ((await passkeysOf(ctx.db, personId)).length >= passkeysAtMost) throw new Refusal('too_many_passkeys');

  const { credential, credentialBackedUp } = registrationInfo;
  const id = ctx.id();
  await ctx.db.transaction().execute(async (tx) => {
    const added = await insertPasskey(tx, {
      id,
      personId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      name: name?.trim() || nameOf(ctx.http.userAgent),
      synced: credentialBackedUp,
      createdAt: ctx.now(),
    });
    if (!added) throw new Refusal('passkey_refused');
    await recordInOffice(tx, ctx, { ...caller, sessionId: id }, 'passkey.add');
  });
  await tellPerson(ctx, personId, 'passkey');
  return security(ctx);
}

export async function removePasskey(ctx: PersonCtx, passkeyId: string): Promise<Security> {
  const caller = mustHaveProved(ctx);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await deletePasskey(tx, caller.personId, passkeyId))) throw new Refusal('not_found');
    await recordInOffice(tx, ctx, { ...caller, sessionId: passkeyId }, 'passkey.remove');
  });
  return security(ctx);
}

/** The challenge a browser signed, if it is one of ours for this purpose; from now on it is used up. */
export async function signedChallenge(
  ctx: Pick<AnyoneCtx, 'db' | 'now'>,
  { response }: { response: { clientDataJSON: string } },
  purpose: Purpose,
): Promise<string> {
  const challenge = challengeIn(response.clientDataJSON);
  if (challenge === null || !(await takeChallenge(ctx.db, challenge, purpose, ctx.now())))
    throw new Refusal('passkey_refused');
  return challenge;
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

function nameOf(userAgent: string): string {
  const { browser, system } = deviceWords(userAgent);
  return [browser, system].filter((word) => word !== null).join(' · ') || 'Passkey';
}
