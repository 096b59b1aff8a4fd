/**
 * Other ways to prove who one is, beside the code by email or text.
 *
 * passkey: a key on a phone, laptop or security key. It signs in and unlocks by itself, and counts as both steps.
 * authenticator: an app that shows six digits (TOTP). Once set up, signing in by code or Google asks for it as the second step.
 * recovery code: stands in for the authenticator once, when the phone is lost.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant } from '#contract/shapes.ts';
import { Session } from './session.ts';

/** How new a proof of identity must be to change how one signs in. */
export const proofMinutes = 10;
/** Minutes without input after which an office's panels lock. */
export const lockMinutes = { least: 5, most: 30 };
export const recoveryCodeCount = 10;
export const passkeysAtMost = 20;

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
  /** Kept by a password manager on several devices, not on one alone. */
  synced: z.boolean(),
});
export type Passkey = z.output<typeof Passkey>;

/** How the caller signs in, and what their practice asks. */
export const Security = z.object({
  passkeys: z.array(Passkey),
  authenticator: z.object({ since: z.nullable(Instant), recoveryCodesLeft: z.int() }),
  /** The Google account that signs this person in, by its address; null when none does. */
  google: z.nullable(z.string()),
  /** Null when the caller works in no office (yet). */
  office: z.nullable(z.object({ officeName: z.string(), requiresAuthenticator: z.boolean(), lockMinutes: z.int() })),
  /** Until then changes are taken; null: confirm it is you first. */
  provedUntil: z.nullable(Instant),
});
export type Security = z.output<typeof Security>;

/** What a browser hands to `navigator.credentials`, as WebAuthn's JSON. */
const CredentialOptions = z.object({ options: z.record(z.string(), z.unknown()) });
const Bytes = z.string().check(z.maxLength(40_000), z.regex(/^[A-Za-z0-9_-]*$/));
const credential = {
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
};

/** A new credential, as WebAuthn's RegistrationResponseJSON. */
export const NewCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
});
/** A signature by a credential, as WebAuthn's AuthenticationResponseJSON. */
export const SignedChallenge = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: z.optional(z.nullable(Bytes)),
  }),
});
export type NewCredential = z.output<typeof NewCredential>;
export type SignedChallenge = z.output<typeof SignedChallenge>;

export const readSecurity = endpoint({
  method: 'GET',
  path: '/session/security',
  summary: 'How the caller signs in: passkeys, authenticator app, Google, and what their practice asks',
  access: 'person',
  reply: Security,
});

export const startPasskey = endpoint({
  method: 'POST',
  path: '/session/passkeys/options',
  summary: 'What a browser needs to make a passkey here',
  access: 'person',
  reply: CredentialOptions,
  refusals: ['proof_needed', 'too_many_passkeys'],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/session/passkeys',
  summary: 'Keeps a passkey the browser made; its owner is told by email or text',
  access: 'person',
  body: z.object({ name: z.optional(z.string().check(z.maxLength(60))), response: NewCredential }),
  reply: Security,
  refusals: ['proof_needed', 'passkey_refused', 'too_many_passkeys'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/session/passkeys/:passkeyId',
  summary: "Forgets one of the caller's passkeys",
  access: 'person',
  params: z.object({ passkeyId: z.uuid() }),
  reply: Security,
  refusals: ['proof_needed'],
});

export const startAuthenticator = endpoint({
  method: 'POST',
  path: '/session/authenticator',
  summary: 'A new secret for an authenticator app, as QR code and to type; it counts once a code of it was confirmed',
  access: 'person',
  reply: z.object({ secret: z.string(), uri: z.string(), qrSvg: z.string() }),
  refusals: ['proof_needed'],
});

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()), security: Security });

export const confirmAuthenticator = endpoint({
  method: 'POST',
  path: '/session/authenticator/confirm',
  summary: 'Puts the authenticator app in force and answers the recovery codes, which are shown this once',
  access: 'person',
  body: z.object({ code: z.string().check(z.regex(/^\d{6}$/)) }),
  reply: RecoveryCodes,
  refusals: ['proof_needed', 'wrong_code', 'too_many_tries'],
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/session/authenticator/recovery-codes',
  summary: 'New recovery codes; the earlier ones are void',
  access: 'person',
  reply: RecoveryCodes,
  refusals: ['proof_needed', 'authenticator_missing'],
});

export const removeAuthenticator = endpoint({
  method: 'DELETE',
  path: '/session/authenticator',
  summary: 'Takes the authenticator app out of force, its recovery codes too',
  access: 'person',
  reply: Security,
  refusals: ['proof_needed'],
});

export const requireAuthenticator = endpoint({
  method: 'PUT',
  path: '/office/require-authenticator',
  summary: 'Whether everyone of the office must have an authenticator app to see its data',
  access: 'office',
  audit: 'settings.change',
  body: z.object({ required: z.boolean() }),
  reply: Security,
  refusals: ['proof_needed'],
});

export const setLockMinutes = endpoint({
  method: 'PUT',
  path: '/office/lock-minutes',
  summary: 'After how many minutes without input the panels of the office lock; in several offices, the fewest apply',
  access: 'office',
  audit: 'settings.change',
  body: z.object({ minutes: z.int().check(z.minimum(lockMinutes.least), z.maximum(lockMinutes.most)) }),
  reply: Security,
  refusals: ['proof_needed'],
});

export const requestPasskey = endpoint({
  method: 'POST',
  path: '/sign-in/passkey/options',
  summary: 'What a browser needs to sign in with a passkey it has; whose it is shows afterwards',
  access: 'anyone',
  reply: CredentialOptions,
  refusals: ['too_many_tries'],
});

export const verifyPasskey = endpoint({
  method: 'POST',
  path: '/sign-in/passkey',
  summary: 'Signs in with a passkey: sets the panel cookie, or answers a bearer token',
  access: 'anyone',
  body: z.object({ response: SignedChallenge, bearer: z.optional(z.boolean()) }),
  reply: z.object({ session: Session, token: z.optional(z.string()) }),
  refusals: ['passkey_refused', 'too_many_tries'],
});

export const requestUnlockPasskey = endpoint({
  method: 'POST',
  path: '/session/unlock/passkey/options',
  summary: 'What a browser needs to unlock with a passkey of the person who is signed in',
  access: 'anyone',
  reply: CredentialOptions,
  refusals: ['not_signed_in', 'too_many_tries'],
});

export const unlockWithPasskey = endpoint({
  method: 'POST',
  path: '/session/unlock/passkey',
  summary: 'Unlocks the panel with a passkey of the same person; it counts as both steps',
  access: 'anyone',
  body: z.object({ response: SignedChallenge }),
  reply: Session,
  refusals: ['not_signed_in', 'passkey_refused', 'too_many_tries'],
});

export const unlockWithAuthenticator = endpoint({
  method: 'POST',
  path: '/session/unlock/authenticator',
  summary: 'Unlocks, or takes the second step of signing in, with six digits of the app or a recovery code',
  access: 'anyone',
  body: z.object({ code: z.string().check(z.minLength(6), z.maxLength(40)) }),
  reply: Session,
  refusals: ['not_signed_in', 'wrong_code', 'too_many_tries'],
});
