/**
 * Sessions: who is signed in, the lock, the devices a person is signed in on, and the token that carries a session.
 *
 * device: one open session as its owner sees it, "Chrome on Windows". The one that sends the request is the current one.
 * token: proves a session on each call (cookie or bearer). It expires before the session does and is renewed before that.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CardPayments } from '#contract/merchant.ts';
import { Instant, Language, Npi, OneTimeCode, SentCode } from '#contract/shapes.ts';
import { OpenInvitation } from '#contract/team.ts';
import { Gate } from './gate.ts';

/** A practice the signed-in person belongs to. */
export const OfficeCard = z.object({
  id: z.uuid(),
  npi: Npi,
  officeName: z.string(),
  hellosignComplete: z.boolean(),
});

/** What the panel knows about the signed-in person. */
export const Session = z.object({
  person: z.nullable(
    z.object({
      id: z.uuid(),
      name: z.string(),
      email: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      language: z.nullable(Language),
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
      /** The practice management software. */
      emr: z.string(),
      /** The payment provider knows the office: it has submitted its application and was not rejected. */
      paymentIdentity: z.boolean(),
      /** The office has a payment identity, or had payments before the provider took it back: it keeps its books. */
      hasTransactions: z.boolean(),
      /** Visitors of the practice's website can chat with it; it offers appointments there. */
      chatEnabled: z.boolean(),
      appointmentsEnabled: z.boolean(),
      /** How far the office is with card payments by patients. */
      cardPayments: CardPayments,
      /** When the payment provider approved or rejected the application. */
      cardPaymentsDecidedAt: z.nullable(Instant),
      /** False: the practice is limited until somebody confirms it (`confirmation.ts`). */
      confirmed: z.boolean(),
      /** The office requires an authenticator app and this person has none yet. */
      authenticatorMissing: z.boolean(),
      /** The list of a new practice's first steps stands beside its queue (`first-steps.ts`). */
      firstSteps: z.boolean(),
    }),
  ),
  flags: z.record(z.string(), z.boolean()),
  gate: Gate,
  /** How to unlock a locked session; empty unless it is locked. Without `code`, the second step of signing in is due. */
  unlockBy: z.array(z.enum(['pin', 'passkey', 'authenticator', 'code'])),
  /** How many patients of the office wait to be called in today, for the lock screen; null unless the session is locked. */
  waiting: z.nullable(z.int()),
  /** The end of the session at the latest, twelve hours after signing in. */
  expiresAt: z.nullable(Instant),
  /** The token expires then unless it was renewed (`POST /session/refresh`); null when signed out. */
  tokenExpiresAt: z.nullable(Instant),
  /** When the panel locks without input; null when signed out or for a bearer token, which does not lock by itself. */
  locksAt: z.nullable(Instant),
  now: Instant,
});
export type Session = z.output<typeof Session>;

export const readSession = endpoint({
  method: 'GET',
  path: '/session',
  summary: 'Who is signed in, their offices, flags and the gate; never refused',
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

/** The stages of the queue, in the order of its list. */
export const queueStages = ['needs-you', 'waiting', 'called', 'going', 'inside'] as const;
export type QueueStage = (typeof queueStages)[number];

export const savePreferences = endpoint({
  method: 'PATCH',
  path: '/session/preferences',
  summary: "The person's preferences: language, theme, density, shortcuts, sound, privacy",
  access: 'person',
  body: z.object({
    language: z.optional(Language),
    theme: z.optional(z.enum(['light', 'dark', 'auto'])),
    density: z.optional(z.enum(['comfortable', 'compact'])),
    singleKeys: z.optional(z.boolean()),
    sound: z.optional(z.boolean()),
    /** Desktop notifications while the panel is behind another window. */
    alerts: z.optional(z.boolean()),
    privacy: z.optional(z.boolean()),
    /** The stages that are closed in the queue's list. */
    closedStages: z.optional(z.array(z.enum(queueStages)).check(z.maxLength(queueStages.length))),
  }),
  reply: Session,
});

export const stayActive = endpoint({
  method: 'POST',
  path: '/session/active',
  summary: 'Reports user input in the panel, at most once a minute; polling does not count',
  access: 'person',
  /** How long ago the last input was; now, if absent. */
  body: z.object({ secondsAgo: z.optional(z.int().check(z.minimum(0), z.maximum(60))) }),
  reply: z.object({ locksAt: z.nullable(Instant) }),
});

export const lockSession = endpoint({
  method: 'POST',
  path: '/session/lock',
  summary: 'Locks the panel now: no data until the person confirms their identity',
  access: 'person',
  reply: z.object({ locked: z.boolean() }),
});

export const requestUnlockCode = endpoint({
  method: 'POST',
  path: '/session/unlock/code',
  summary: 'Sends an unlock code to the address or number the person signed in with',
  access: 'anyone',
  reply: z.object({
    ...SentCode.shape,
    /** Where it was sent: the address or number the person signed in with, mostly masked. */
    sentTo: z.string(),
  }),
  refusals: ['not_signed_in', 'second_step_needed', 'too_many_tries', 'code_not_sent', 'no_codes_now'],
});

export const unlockSession = endpoint({
  method: 'POST',
  path: '/session/unlock',
  summary: 'Unlocks the panel with a code; the session continues',
  access: 'anyone',
  body: z.object({ code: OneTimeCode }),
  reply: Session,
  refusals: ['not_signed_in', 'second_step_needed', 'wrong_code', 'code_expired', 'code_used_up', 'too_many_tries'],
});

/** A token is valid for this long (or until the session's twelve hours are over). */
export const tokenLifeSeconds = 3600;
/** A token can be renewed in this many seconds before its end. */
export const refreshWithinSeconds = 600;
/** How often the panel checks whether to renew. */
export const refreshEveryMs = 300_000;

/** Whether a token with this many seconds left can be renewed. The panel and the server both use it. */
export function mayRefresh(secondsLeft: number): boolean {
  return secondsLeft <= refreshWithinSeconds;
}

export const refreshSession = endpoint({
  method: 'POST',
  path: '/session/refresh',
  summary:
    'Renews the token within 600 s of its end, locked or not: a new cookie, or for a bearer caller the token to use from now on. Earlier it changes nothing. Does not count as activity and does not extend the 12-hour session limit. A replaced token that is presented here later than 30 s after its renewal ends the session on all its tokens',
  access: 'anyone',
  reply: z.object({
    tokenExpiresAt: Instant,
    /** A bearer caller's new token; repeats within 30 s return the same one. For other callers the old token works until its own end. */
    token: z.optional(z.string()),
  }),
  refusals: ['not_signed_in'],
});

export const Device = z.object({
  id: z.uuid(),
  /** `program` for a bearer token that some software uses. */
  kind: z.enum(['browser', 'program']),
  /** The maker's names, such as "Firefox" and "Windows"; null if the device does not report one. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The network address it signed in from. */
  address: z.nullable(z.string()),
  /** It signed in from the address of this call. */
  sameAddress: z.boolean(),
  signedInAt: Instant,
  /** The last real input; for a program, the time it signed in. */
  activeAt: Instant,
  locked: z.boolean(),
  current: z.boolean(),
});
export type Device = z.output<typeof Device>;

export const Devices = z.object({ devices: z.array(Device) });

export const listDevices = endpoint({
  method: 'GET',
  path: '/session/devices',
  summary: 'The devices the caller is signed in on: this one first, then the most recently used',
  access: 'person',
  reply: Devices,
});

export const signOutDevice = endpoint({
  method: 'DELETE',
  path: '/session/devices/:deviceId',
  summary: "Signs out one of the caller's devices at once, on HTTP and sockets; returns those left",
  access: 'person',
  params: z.object({ deviceId: z.uuid() }),
  reply: Devices,
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/sign-out/everywhere',
  summary: 'Signs out every device of the caller at once, including this one, on HTTP and sockets',
  access: 'person',
  reply: z.object({ signedOut: z.int() }),
});
