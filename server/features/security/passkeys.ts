import { maxPasskeys, type NewCredential, type Security } from '#contract/sign-in/second-ways.ts';
import type { AnyoneCtx, Services, PersonCtx } from '#server/context.ts';
import { identitiesOf } from '#server/identities.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { newChallenge, takeChallenge, type ChallengePurpose } from './challenges.ts';
import { parseUserAgent, auditInOffice } from '#server/features/sign-in/index.ts';
import { notifyPerson } from './security-emails.ts';
import { deletePasskey, insertPasskey, passkeysOf } from './passkey-sql.ts';
import { requireRecentProof } from './proof.ts';
import { describeSecurity } from './security.ts';

/** Loaded on first use: loading takes a tenth of a second, and most people have no passkey. */
export const webauthn = () => import('@simplewebauthn/server');

/** The relying party (WebAuthn): this installation at its public address. */
export function relyingParty({ env }: Pick<Services, 'env'>) {
  const { origin, hostname } = new URL(env.publicUrl);
  return { rpID: hostname, origin, rpName: env.productName };
}

/** The options a browser needs to create a passkey for the caller. */
export async function startPasskey(ctx: PersonCtx): Promise<{ options: Record<string, unknown> }> {
  const { personId, personName, sessionId } = requireRecentProof(ctx);
  const passkeys = await passkeysOf(ctx.db, personId);
  if (passkeys.length >= maxPasskeys) throw new Refusal('too_many_passkeys');
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
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

/** Saves a passkey the browser created and notifies its owner. */
export async function addPasskey(
  ctx: PersonCtx,
  { name, response }: { name?: string | undefined; response: NewCredential },
): Promise<Security> {
  const caller = requireRecentProof(ctx);
  const { personId, sessionId } = caller;
  const expectedChallenge = await signedChallenge(ctx, response, { purpose: 'register', subject: sessionId });
  const { rpID, origin } = relyingParty(ctx);
  if (hasCertificates(response)) throw new Refusal('passkey_refused');
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {}, authenticatorAttachment: undefined },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw new Refusal('passkey_refused');
  if ((await passkeysOf(ctx.db, personId)).length >= maxPasskeys) throw new Refusal('too_many_passkeys');

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
    await auditInOffice(tx, ctx, caller, 'passkey.add', { subject: id });
  });
  await notifyPerson(ctx, personId, 'passkey');
  return describeSecurity(ctx);
}

export async function removePasskey(ctx: PersonCtx, passkeyId: string): Promise<Security> {
  const caller = requireRecentProof(ctx);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await deletePasskey(tx, caller.personId, passkeyId))) throw new Refusal('not_found');
    await auditInOffice(tx, ctx, caller, 'passkey.remove', { subject: passkeyId });
  });
  return describeSecurity(ctx);
}

/** Returns the challenge that the browser signed and uses it up; refuses one that we did not issue for this purpose. */
export async function signedChallenge(
  ctx: Pick<AnyoneCtx, 'db' | 'now'>,
  { response }: { response: { clientDataJSON: string } },
  purpose: ChallengePurpose,
): Promise<string> {
  const challenge = challengeIn(response.clientDataJSON);
  if (challenge === null || !(await takeChallenge(ctx.db, challenge, purpose, ctx.now())))
    throw new Refusal('passkey_refused');
  return challenge;
}

/**
 * Browsers send no certificates if we request no attestation, but a hostile client can: the library accepts any chain in the format
 * `android-key` and fetches the revocation lists it names, from whatever address. Certificates are under the CBOR key `x5c`, or in a JWS.
 */
function hasCertificates({ response }: NewCredential): boolean {
  const attestation = Buffer.from(response.attestationObject, 'base64url');
  return attestation.includes('x5c') || attestation.includes('android-safetynet');
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
  const { browser, system } = parseUserAgent(userAgent);
  return [browser, system].filter((part) => part !== null).join(' · ') || 'Passkey';
}
