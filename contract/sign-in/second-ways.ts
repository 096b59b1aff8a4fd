/**
 * Other ways to prove one's identity besides a code by email or text.
 *
 * passkey: a key on a phone, laptop or security key. It signs in and unlocks by itself, and counts as both steps.
 * authenticator: an app that shows six digits (TOTP). Once set up, it is the second step after a code or Google.
 * recovery code: replaces the authenticator once, if the phone is lost.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant } from '#contract/shapes.ts';
import { Session } from './session.ts';

/** How recent a proof of identity must be to change sign-in methods. */
export const proofMinutes = 10;
/** Minutes without input before an office's panels lock. */
export const lockMinutesRange = { least: 5, most: 30 };
export const recoveryCodeCount = 10;
export const maxPasskeys = 20;

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
  /** Stored by a password manager on several devices, not on just one. */
  synced: z.boolean(),
});
export type Passkey = z.output<typeof Passkey>;

/** The caller's sign-in methods, and what their practice requires. */
export const Security = z.object({
  passkeys: z.array(Passkey),
  /** The PIN of this person on this device (`pin.ts`). `possible`: this session may have one. */
  pin: z.object({ since: z.nullable(Instant), possible: z.boolean() }),
  authenticator: z.object({ since: z.nullable(Instant), recoveryCodesLeft: z.int() }),
  /** The address of the linked Google account; null if there is none. */
  google: z.nullable(z.string()),
  /** Null if the caller belongs to no office (yet). */
  office: z.nullable(z.object({ officeName: z.string(), requiresAuthenticator: z.boolean(), lockMinutes: z.int() })),
  /** Changes are allowed until then; null: confirm your identity first. */
  provedUntil: z.nullable(Instant),
});
export type Security = z.output<typeof Security>;

/** The argument of `navigator.credentials`, as WebAuthn's JSON. */
const CredentialOptions = z.object({ options: z.record(z.string(), z.unknown()) });
const Bytes = z.string().check(z.maxLength(40_000), z.regex(/^[A-Za-z0-9_-]*$/));
const Credential = z.object({
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
});

/** A new credential, as WebAuthn's RegistrationResponseJSON. */
export const NewCredential = z.extend(Credential, {
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
});
/** A signature by a credential, as WebAuthn's AuthenticationResponseJSON. */
export const SignedChallenge = z.extend(Credential, {
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
  summary: "The caller's sign-in methods: passkeys, authenticator app, Google, and what their practice requires",
  access: 'person',
  reply: Security,
});

export const startPasskey = endpoint({
  method: 'POST',
  path: '/session/passkeys/options',
  summary: 'What a browser needs to create a passkey here',
  access: 'person',
  reply: CredentialOptions,
  refusals: ['proof_needed', 'too_many_passkeys'],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/session/passkeys',
  summary: 'Stores a passkey the browser created and notifies its owner by email or text',
  access: 'person',
  body: z.object({ name: z.optional(z.string().check(z.maxLength(60))), response: NewCredential }),
  reply: Security,
  refusals: ['proof_needed', 'passkey_refused', 'too_many_passkeys'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/session/passkeys/:passkeyId',
  summary: "Removes one of the caller's passkeys",
  access: 'person',
  params: z.object({ passkeyId: z.uuid() }),
  reply: Security,
  refusals: ['proof_needed'],
});

export const startAuthenticator = endpoint({
  method: 'POST',
  path: '/session/authenticator',
  summary:
    'A new secret for an authenticator app, as a QR code and as text; it takes effect once one of its codes was confirmed',
  access: 'person',
  reply: z.object({ secret: z.string(), uri: z.string(), qrSvg: z.string() }),
  refusals: ['proof_needed'],
});

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()), security: Security });

export const confirmAuthenticator = endpoint({
  method: 'POST',
  path: '/session/authenticator/confirm',
  summary: 'Turns the authenticator app on and returns the recovery codes, which are shown only once',
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
  summary: 'Removes the authenticator app and its recovery codes',
  access: 'person',
  reply: Security,
  refusals: ['proof_needed'],
});

export const requireAuthenticator = endpoint({
  method: 'PUT',
  path: '/office/require-authenticator',
  summary: 'Sets whether everyone in the office needs an authenticator app to see its data',
  access: 'office',
  audit: 'settings.change',
  body: z.object({ required: z.boolean() }),
  reply: Security,
  refusals: ['proof_needed'],
});

export const setLockMinutes = endpoint({
  method: 'PUT',
  path: '/office/lock-minutes',
  summary:
    "Sets after how many minutes without input the office's panels lock; for people in several offices the fewest apply",
  access: 'office',
  audit: 'settings.change',
  body: z.object({ minutes: z.int().check(z.minimum(lockMinutesRange.least), z.maximum(lockMinutesRange.most)) }),
  reply: Security,
  refusals: ['proof_needed'],
});

export const requestPasskey = endpoint({
  method: 'POST',
  path: '/sign-in/passkey/options',
  summary: 'What a browser needs to sign in with a passkey it has; the reply names nobody',
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
  summary: 'What a browser needs to unlock with a passkey of the signed-in person',
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
  summary: 'Unlocks, or takes the second step of signing in, with six digits from the app or a recovery code',
  access: 'anyone',
  body: z.object({ code: z.string().check(z.minLength(6), z.maxLength(40)) }),
  reply: Session,
  refusals: ['not_signed_in', 'wrong_code', 'too_many_tries'],
});
