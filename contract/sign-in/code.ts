/**
 * Sign-in by one-time code, the session, and the gate.
 *
 * identifier: the email address or US mobile number a person signs in with.
 * code: six digits, single use, valid 180 s by the server's clock.
 * gate: where a person may be right now; one pure function for server and panel.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Npi } from '#contract/queue.ts';
import { OpenInvitation } from '#contract/team.ts';

const Instant = z.iso.datetime();

/** How long a code is valid, in seconds (part 1 §9). */
export const codeLifeSeconds = 180;
/** Seconds before another code may be asked for. */
export const resendAfterSeconds = 30;
/** After this many wrong tries a code opens nothing any more. */
export const triesPerCode = 5;

/** Part 1 §5: text, @, text, dot, text, with no spaces. */
export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** Plus one followed by ten digits. */
export const usPhonePattern = /^\+1\d{10}$/;

const Identifier = z.object({
  email: z.optional(z.string().check(z.maxLength(254))),
  phone: z.optional(z.string().check(z.maxLength(40))),
});

const CodeSent = z.object({ expiresAt: Instant, resendAfterSeconds: z.int() });
const Code = z.string().check(z.regex(/^\d{4,8}$/));

export const requestCode = endpoint({
  method: 'POST',
  path: '/sign-in/code',
  summary: 'Sends a one-time code to an email address or a US mobile number; known and unknown ones answer alike',
  access: 'anyone',
  body: Identifier,
  reply: CodeSent,
  refusals: ['invalid_input', 'invalid_phone', 'too_many_tries', 'code_not_sent'],
});

/** A practice the signed-in person belongs to. */
export const OfficeCard = z.object({
  id: z.uuid(),
  npi: Npi,
  officeName: z.string(),
  hellosignComplete: z.boolean(),
});

export const Gate = z.object({
  /** Where `/` leads; null where the room is not built or nothing is left to do. */
  to: z.string(),
  /** Why: the branch of the gate that was taken. */
  because: z.enum([
    'signed-out',
    'locked',
    'no-office',
    'choose-office',
    'agreement-missing',
    'authenticator-missing',
    'payments-question',
    'sms-mode',
    'ambulatory',
    'checkin-disabled',
    'ready',
  ]),
});
export type Gate = z.output<typeof Gate>;

/** What the panel knows of who is signed in. */
export const Session = z.object({
  person: z.nullable(
    z.object({
      id: z.uuid(),
      name: z.string(),
      email: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      language: z.nullable(z.enum(['en', 'es'])),
      preferences: z.record(z.string(), z.unknown()),
    }),
  ),
  offices: z.array(OfficeCard),
  /** Open invitations to an address or number of this person; empty while locked. */
  invitations: z.array(OpenInvitation),
  /** The office this request is about (X-Office, else the first). */
  office: z.nullable(
    z.object({
      id: z.uuid(),
      npi: Npi,
      officeName: z.string(),
      address: z.string(),
      timeZone: z.string(),
      hellosignComplete: z.boolean(),
      /** False: the practice is limited until somebody confirms it (`confirmation.ts`). */
      confirmed: z.boolean(),
      /** The office asks everyone for an authenticator app and this person has none yet. */
      authenticatorMissing: z.boolean(),
    }),
  ),
  flags: z.record(z.string(), z.boolean()),
  gate: Gate,
  /** How a locked session opens; empty unless it is locked. Without `code` the second step of signing in is due. */
  unlockBy: z.array(z.enum(['passkey', 'authenticator', 'code'])),
  /** The session's end at the latest, twelve hours after signing in. */
  expiresAt: z.nullable(Instant),
  /** When the token must have been renewed (`POST /session/refresh`); null when signed out. */
  tokenExpiresAt: z.nullable(Instant),
  /** When the panel locks if nobody touches it; null when signed out or for a bearer token, which does not lock by itself. */
  locksAt: z.nullable(Instant),
  now: Instant,
});
export type Session = z.output<typeof Session>;

export const verifyCode = endpoint({
  method: 'POST',
  path: '/sign-in/verify',
  summary: 'Signs in with a code: sets the panel cookie, or answers a bearer token',
  access: 'anyone',
  body: z.object({
    email: z.optional(z.string().check(z.maxLength(254))),
    phone: z.optional(z.string().check(z.maxLength(40))),
    code: Code,
    /** True answers a bearer token instead of setting the cookie. */
    bearer: z.optional(z.boolean()),
  }),
  reply: z.object({ session: Session, token: z.optional(z.string()) }),
  /**
   * `wrong_code` covers expired, used-up and never requested codes too: the difference would tell a stranger that somebody asked for one.
   * A screen knows from its own countdown and count (`triesPerCode`) which of them it is.
   */
  refusals: ['invalid_input', 'invalid_phone', 'wrong_code', 'too_many_tries'],
});

export const readSession = endpoint({
  method: 'GET',
  path: '/session',
  summary: 'Who is signed in, their offices, flags and the gate; never a refusal',
  access: 'anyone',
  reply: Session,
});

export const signOut = endpoint({
  method: 'POST',
  path: '/sign-out',
  summary: 'Ends this session at once, on HTTP and sockets',
  access: 'anyone',
  reply: z.object({ signedOut: z.boolean() }),
});

export const savePreferences = endpoint({
  method: 'PATCH',
  path: '/session/preferences',
  summary: "The person's own choices: language, theme, density, shortcuts, sound, privacy",
  access: 'person',
  body: z.object({
    language: z.optional(z.enum(['en', 'es'])),
    theme: z.optional(z.enum(['light', 'dark', 'auto'])),
    density: z.optional(z.enum(['comfortable', 'compact'])),
    singleKeys: z.optional(z.boolean()),
    sound: z.optional(z.boolean()),
    /** Notes on the desk's screen while the panel is behind another window. */
    alerts: z.optional(z.boolean()),
    privacy: z.optional(z.boolean()),
  }),
  reply: Session,
});

export const stayActive = endpoint({
  method: 'POST',
  path: '/session/active',
  summary: 'Somebody touched the panel. Sent upon real input only, at most once a minute; no poll counts',
  access: 'person',
  /** How long ago the last touch was; now, when absent. */
  body: z.object({ secondsAgo: z.optional(z.int().check(z.minimum(0), z.maximum(60))) }),
  reply: z.object({ locksAt: z.nullable(Instant) }),
});

export const lockSession = endpoint({
  method: 'POST',
  path: '/session/lock',
  summary: 'Locks the panel now: no data until the person confirms it is them',
  access: 'person',
  reply: z.object({ locked: z.boolean() }),
});

export const requestUnlockCode = endpoint({
  method: 'POST',
  path: '/session/unlock/code',
  summary: 'Sends a code for unlocking to what the person signed in with',
  access: 'anyone',
  reply: z.object({
    ...CodeSent.shape,
    /** Where it went, the address or number the person signed in with, most of it hidden. */
    sentTo: z.string(),
  }),
  refusals: ['not_signed_in', 'second_step_needed', 'too_many_tries', 'code_not_sent'],
});

export const unlockSession = endpoint({
  method: 'POST',
  path: '/session/unlock',
  summary: 'Unlocks the panel with a code; the same session goes on',
  access: 'anyone',
  body: z.object({ code: Code }),
  reply: Session,
  refusals: ['not_signed_in', 'second_step_needed', 'wrong_code', 'code_expired', 'code_used_up', 'too_many_tries'],
});

/** What the gate looks at. */
export interface GateFacts {
  signedIn: boolean;
  locked: boolean;
  /** How many offices the person belongs to. */
  memberOf: number;
  /** The active one; null when there is none, or the one asked for is not theirs. */
  office: null | {
    hellosignComplete: boolean;
    authenticatorMissing: boolean;
    paymentsQuestionCompleted: boolean;
    emr: string;
    /** By which door it came: `regular`, or the partner's name. */
    onboardingType: string;
    smsMode: boolean;
    ambulatory: boolean;
  };
  disableCheckin: boolean;
}

/** Where a person may be right now (part 2 §4, one-product.md). Pure: the server refuses and the panel leads by it. */
export function gate(facts: GateFacts): Gate {
  if (!facts.signedIn) return { to: '/', because: 'signed-out' };
  if (facts.locked) return { to: '/', because: 'locked' };
  const { office } = facts;
  if (!office) return { to: '/', because: facts.memberOf > 0 ? 'choose-office' : 'no-office' };
  if (!office.hellosignComplete) return { to: signingPath(office), because: 'agreement-missing' };
  if (office.authenticatorMissing) return { to: '/', because: 'authenticator-missing' };
  if (office.emr === 'AthenaOne' && !office.paymentsQuestionCompleted) return { to: '/', because: 'payments-question' };
  if (office.smsMode) return { to: '/sms-dashboard', because: 'sms-mode' };
  if (office.ambulatory) return { to: '/dashboard/patients', because: 'ambulatory' };
  if (facts.disableCheckin) return { to: '/dashboard/forms', because: 'checkin-disabled' };
  return { to: '/dashboard', because: 'ready' };
}

/** A partner's office signs on the partner's pages, all others at the front door. */
function signingPath({ onboardingType }: { onboardingType: string }): string {
  return onboardingType === 'regular' ? '/' : `/${onboardingType}/signhipaa`;
}

/** May this person see an office's data? The gate's last step, refused by the server on every call. */
export function mayEnterOffice(office: { hellosignComplete: boolean; authenticatorMissing: boolean } | null): boolean {
  return office !== null && office.hellosignComplete && !office.authenticatorMissing;
}
