/**
 * The patient's phone: check-in and the visit page.
 *
 * token: what a visit link carries. 128+ random bits, kept hashed, one per link, ends two days after the visit. It is proved when it was
 * texted to the visit's number, and unproved when a browser got it for typing that number.
 * household: the other family members who are being seen on the same visit.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant, Language, Npi, Token } from './shapes.ts';
import { EndReason, VisitStatus } from './queue.ts';
import type { RefusalCode } from './refusals.ts';

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** What a phone may know of an office before anyone says who they are. */
export const OfficeFront = z.object({
  npi: Npi,
  officeName: z.string(),
  address: z.string(),
  greeting: z.object({ en: z.string(), es: z.string() }),
  timeZone: z.string(),
  /** False: a new practice that nobody has confirmed yet; the page says so. */
  confirmed: z.boolean(),
  isOpen: z.boolean(),
  /** Today's hours in the office's time zone as HH:MM; null on a day it does not open. */
  hoursToday: z.nullable(z.object({ open: z.string(), close: z.string() })),
  nextOpening: z.nullable(Instant),
  /** For a wrong clock on the phone: the page counts from this. */
  now: Instant,
});
export type OfficeFront = z.output<typeof OfficeFront>;

export const readOfficeFront = endpoint({
  method: 'GET',
  path: '/checkin/:npi',
  summary: "An office's check-in page: name, greeting, opening hours; the running visit of the same browser",
  access: 'anyone',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({
    office: OfficeFront,
    /** The visit this same browser has running here today (known by its cookie). */
    running: z.nullable(
      z.object({
        token: Token,
        /** Of the first name: enough for its owner on a shared device, and no more. Null when this browser's link shows the status only. */
        initial: z.nullable(z.string()),
      }),
    ),
  }),
  refusals: ['office_not_found'],
});

export const forgetVisit = endpoint({
  method: 'DELETE',
  path: '/checkin/:npi',
  summary: '"Somebody else": this browser forgets the visit it has running there',
  access: 'anyone',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({ forgotten: z.boolean() }),
  refusals: ['office_not_found'],
});

export const Arrival = z.object({
  firstName: Name,
  lastName: Name,
  phone: z.string().check(z.maxLength(40)),
  birthDate: z.iso.date(),
  household: z
    .array(z.object({ firstName: Name, lastName: Name, birthDate: z.nullable(z.iso.date()) }))
    .check(z.maxLength(12)),
  language: Language,
});
export type Arrival = z.output<typeof Arrival>;

const CheckedIn = z.object({
  /**
   * `visit`: go to /visit/{token}; the token is unproved. `link-sent`: this number has a visit, arrived or expected; its link was texted
   * to the number. `link-not-sent`: it could not be texted, for `reason`.
   */
  outcome: z.enum(['visit', 'link-sent', 'link-not-sent']),
  token: z.nullable(Token),
  /** `opted-out`: the number said STOP. `failed`: the texts of the last minutes did not arrive there. */
  reason: z.optional(z.enum(['opted-out', 'failed'])),
});

export const checkIn = endpoint({
  method: 'POST',
  path: '/checkin/:npi',
  summary: '"I\'m here": makes the visit, or leads back to the one that runs already',
  access: 'anyone',
  creates: true,
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  body: Arrival,
  reply: CheckedIn,
  refusals: [
    'office_not_found',
    'office_closed',
    'invalid_phone',
    'invalid_birth_date',
    'too_many_tries',
    'too_many_link_texts',
  ],
});

/** What the patient's page shows. Nothing of other patients but the number of people before them. */
export const PatientVisit = z.object({
  /**
   * What this link may see and do. `all`: it was texted to the visit's number. `own`: it was not, and nobody opened a texted one yet: how
   * the visit stands and what was entered with this link. `status`: a texted link is in use, so this one shows how the visit stands.
   */
  access: z.enum(['all', 'own', 'status']),
  officeName: z.string(),
  npi: Npi,
  address: z.string(),
  timeZone: z.string(),
  firstName: z.string(),
  members: z.array(z.object({ name: z.string() })),
  statusCode: VisitStatus,
  version: z.int(),
  /** 1 is next. Null when not WAITING. */
  place: z.nullable(z.int()),
  createdAt: Instant,
  statusAt: Instant,
  autoInviteAt: z.nullable(Instant),
  stillWaitingAt: z.nullable(Instant),
  endReason: z.nullable(EndReason),
  language: Language,
  messages: z.array(z.object({ id: z.uuid(), at: Instant, from: z.enum(['office', 'patient']), body: z.string() })),
  /** The practice texted the visit's number something that this link does not show. */
  hasHiddenTexts: z.boolean(),
  /** False from the office's midnight on: nothing moves any more, though the link still opens. */
  isToday: z.boolean(),
  /** The office is open and takes check-ins: someone whose visit is over may start a new one. */
  mayCheckInAgain: z.boolean(),
  now: Instant,
});
export type PatientVisit = z.output<typeof PatientVisit>;

const ByToken = z.object({ token: Token });

export const readPatientVisit = endpoint({
  method: 'GET',
  path: '/visit/:token',
  summary: 'The visit as its patient sees it. Answers 304 to an unchanged ETag',
  access: 'visit',
  etag: true,
  audit: 'visit.read-by-patient',
  params: ByToken,
  reply: PatientVisit,
  refusals: ['visit_link_ended'],
});

/** What a phone may ask: three moves of the contract, and a raised hand. */
export const PatientAction = z.enum(['onMyWay', 'imIn', 'cancel', 'stillWaiting']);
export type PatientAction = z.output<typeof PatientAction>;

export const movePatientVisit = endpoint({
  method: 'POST',
  path: '/visit/:token',
  summary:
    "On my way, I'm in, Cancel, Still waiting? The same Idempotency-Key acts once; a 409 carries the visit as it is",
  access: 'visit',
  audit: 'visit.move',
  params: ByToken,
  body: z.object({ action: PatientAction }),
  reply: PatientVisit,
  refusals: ['visit_link_ended', 'visit_moved_on', 'visit_not_today', 'link_not_proved'],
});

export const textVisitLink = endpoint({
  method: 'POST',
  path: '/visit/:token/link',
  summary: "Texts a link to the visit's number, for a phone whose own link shows the status only",
  access: 'visit',
  audit: 'visit.link',
  params: ByToken,
  /** `sent` is false for a number that said STOP. */
  reply: z.object({ sent: z.boolean() }),
  refusals: ['visit_link_ended', 'visit_moved_on', 'too_many_link_texts'],
});

export const arriveExpected = endpoint({
  method: 'POST',
  path: '/visit/:token/arrive',
  summary: '"I\'m here" from a texted link: the expected visit becomes a waiting one',
  access: 'visit',
  audit: 'visit.arrive',
  params: ByToken,
  body: z.object({
    firstName: Name,
    lastName: Name,
    birthDate: z.iso.date(),
    household: Arrival.shape.household,
    language: Language,
  }),
  reply: PatientVisit,
  refusals: [
    'visit_link_ended',
    'visit_moved_on',
    'visit_not_today',
    'invalid_birth_date',
    'office_closed',
    'link_not_proved',
  ],
});

export const setPatientLanguage = endpoint({
  method: 'PATCH',
  path: '/visit/:token',
  summary: 'The language this patient wants to be texted in',
  access: 'visit',
  params: ByToken,
  body: z.object({ language: Language }),
  reply: PatientVisit,
  refusals: ['visit_link_ended', 'link_not_proved'],
});

/** What the server writes into the patient's page, so that its first paint needs no call. */
export interface PatientBoot {
  /** The office of the address, and this browser's running visit there. */
  front: { office: OfficeFront; running: { token: string; initial: string | null } | null } | null;
  /** The visit of the address's token. */
  visit: PatientVisit | null;
  /** Why there is neither. */
  refused: RefusalCode | null;
}
