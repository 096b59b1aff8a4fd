/**
 * The patient's phone: check-in and the visit page.
 *
 * token: the secret in a visit link. 128+ random bits, stored hashed, one per link; it expires two days after the visit. It is proved if it
 * was texted to the visit's number, and unproved if a browser got it by typing that number.
 * household: the other family members seen on the same visit.
 */
import * as z from 'zod/mini';
import { PatientPayment } from './copay.ts';
import { endpoint } from './endpoint.ts';
import { Instant, Language, Npi, Token } from './shapes.ts';
import type { VisitForms } from './forms/filling.ts';
import { FormUrl } from './forms/shapes.ts';
import { EndReason, MissingPicture, VisitStatus } from './queue.ts';
import type { EndedLink } from './ended-link.ts';
import type { RefusalCode } from './refusals.ts';

/** A visit's link works so many days after the visit's day. The phone's texts and the privacy notice say "two days". */
export const visitLinkDays = 2;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** What a phone may know about an office before anyone identifies themselves. */
export const OfficeFront = z.object({
  npi: Npi,
  officeName: z.string(),
  address: z.string(),
  /** The number that patients call, from the practice's details or the NPI registry; never the one that texts. */
  officePhone: z.nullable(z.string()),
  /** The ages that the practice treats; empty if it did not say. */
  agesTreated: z.array(z.string()),
  greeting: z.object({ en: z.string(), es: z.string() }),
  timeZone: z.string(),
  /** False for a new practice that is not confirmed yet; the page says so. */
  confirmed: z.boolean(),
  isOpen: z.boolean(),
  /** Today's hours in the office's time zone as HH:MM; null if it is closed today. */
  hoursToday: z.nullable(z.object({ open: z.string(), close: z.string() })),
  nextOpening: z.nullable(Instant),
  /** The server's time; the page counts from it because the phone's clock may be wrong. */
  now: Instant,
});
export type OfficeFront = z.output<typeof OfficeFront>;

export const readOfficeFront = endpoint({
  method: 'GET',
  path: '/checkin/:npi',
  summary: "An office's check-in page: name, greeting, opening hours, and this browser's running visit",
  access: 'anyone',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({
    office: OfficeFront,
    /** This browser's running visit here today, recognized by its cookie. */
    running: z.nullable(
      z.object({
        token: Token,
        /**
         * First letter of the first name: enough for its owner on a shared device, and no more. Null if this browser's link shows only the
         * status.
         */
        initial: z.nullable(z.string()),
      }),
    ),
  }),
  refusals: ['office_not_found'],
});

export const forgetVisit = endpoint({
  method: 'DELETE',
  path: '/checkin/:npi',
  summary: '"Somebody else": this browser forgets its running visit at that office',
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
  /** Who holds the phone without being a patient, such as a parent. Without it, the phone is the first person's own. */
  contact: z.optional(z.object({ firstName: Name, lastName: Name })),
  language: Language,
});
export type Arrival = z.output<typeof Arrival>;

const CheckedIn = z.object({
  /**
   * `visit`: go to /visit/{token}; the token is unproved. `link-sent`: this number already has a visit, arrived or expected, and its link
   * was texted to the number. `link-not-sent`: it could not be texted, for `reason`.
   */
  outcome: z.enum(['visit', 'link-sent', 'link-not-sent']),
  token: z.nullable(Token),
  /** `opted-out`: the number sent STOP. `failed`: the latest texts to it were not delivered. */
  reason: z.optional(z.enum(['opted-out', 'failed'])),
});

export const checkIn = endpoint({
  method: 'POST',
  path: '/checkin/:npi',
  summary: '"I\'m here": creates the visit, or leads back to the running one',
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

/** What the patient's page shows. It tells nothing about other patients except how many are ahead. */
export const PatientVisit = z.object({
  /**
   * What this link may see and do. `all`: it was texted to the visit's number. `own`: it was not, and nobody has opened a texted link yet;
   * shows the status and what was entered with this link. `status`: a texted link is in use, so this one shows only the status.
   */
  access: z.enum(['all', 'own', 'status']),
  officeName: z.string(),
  npi: Npi,
  address: z.string(),
  /** As on the check-in page. */
  officePhone: z.nullable(z.string()),
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
  /** The newest ones. */
  messages: z.array(
    z.object({
      id: z.uuid(),
      at: Instant,
      from: z.enum(['office', 'patient']),
      body: z.string(),
      /** The picture it shows, with its size in pixels; its body describes the picture, if somebody did. */
      picture: z.nullable(z.object({ id: z.uuid(), width: z.int(), height: z.int() })),
      /** Why it does not show the picture that the patient sent. */
      missingPicture: z.nullable(MissingPicture),
    }),
  ),
  /** There are older messages, which this page does not show. */
  hasOlderMessages: z.boolean(),
  /** The practice texted the visit's number something this link does not show. */
  hasHiddenTexts: z.boolean(),
  /** False after the office's midnight: the link still opens, but the visit can no longer change. */
  isToday: z.boolean(),
  /** The office is open and takes check-ins, so a patient whose visit is over may start a new one. */
  mayCheckInAgain: z.boolean(),
  /** The visit's newest payment; null without one, and for a link that was not texted. */
  payment: z.nullable(PatientPayment),
  /** Others of the visit that were paid, newest first, also those that were refunded: their receipts. */
  earlierPayments: z.array(PatientPayment),
  /** The practice's phone number for receipts; null without one, and while nothing is paid. */
  practicePhone: z.nullable(z.string()),
  /** There is a payment that this link does not show. */
  hasHiddenPayment: z.boolean(),
  /** The page that asks is of an older build (`X-Build`), and reloads as soon as nothing can be lost. */
  outdated: z.boolean(),
  now: Instant,
});
export type PatientVisit = z.output<typeof PatientVisit>;

/** Whether the visit's page first asks who comes: the visit is expected, or it arrived by a text, which names nobody. */
export const asksWhoComes = ({
  access,
  isToday,
  statusCode,
  members,
}: Pick<PatientVisit, 'access' | 'isToday' | 'statusCode' | 'members'>): boolean =>
  access === 'all' && isToday && (statusCode === 'EXPECTED' || (statusCode === 'WAITING' && members.length === 0));

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

export const linkToVisitPicture = endpoint({
  method: 'GET',
  path: '/visit/:token/pictures/:attachmentId',
  summary: "A URL of a picture of the visit's messages that works for two minutes and names nothing; texted links only",
  access: 'visit',
  audit: 'visit.read-by-patient',
  params: z.object({ token: Token, attachmentId: z.uuid() }),
  reply: FormUrl,
  refusals: ['visit_link_ended', 'link_not_proved', 'picture_not_found', 'files_away'],
});

/** Characters of a message that a patient writes on the visit's page. */
export const longestPatientMessage = 1600;

export const writeToPractice = endpoint({
  method: 'POST',
  path: '/visit/:token/messages',
  summary:
    'A message of the patient to the front desk; texted links only. A second call with the same clientId adds nothing',
  access: 'visit',
  audit: 'message.receive',
  params: ByToken,
  body: z.object({
    body: z.string().check(z.maxLength(longestPatientMessage)),
    clientId: z.string().check(z.minLength(1), z.maxLength(64)),
  }),
  reply: PatientVisit,
  refusals: ['visit_link_ended', 'link_not_proved', 'empty_message', 'too_many_messages'],
});

export const noteWritingByPatient = endpoint({
  method: 'POST',
  path: '/visit/:token/writing',
  summary: 'Tells the desks that the patient is writing: a hint, nothing is stored; texted links only',
  access: 'visit',
  params: ByToken,
  reply: z.object({ noted: z.boolean() }),
  refusals: ['visit_link_ended', 'link_not_proved'],
});

/** What a patient can do: three moves of the queue, and "Still waiting?". */
export const PatientAction = z.enum(['onMyWay', 'imIn', 'cancel', 'stillWaiting']);
export type PatientAction = z.output<typeof PatientAction>;

export const movePatientVisit = endpoint({
  method: 'POST',
  path: '/visit/:token',
  summary: "On my way, I'm in, Cancel, Still waiting? Each Idempotency-Key acts once; a 409 carries the current visit",
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
  summary: "Texts a link to the visit's number, for a phone whose own link shows only the status",
  access: 'visit',
  audit: 'visit.link',
  params: ByToken,
  /** `sent` is false for a number that sent STOP. */
  reply: z.object({ sent: z.boolean() }),
  refusals: ['visit_link_ended', 'visit_moved_on', 'too_many_link_texts'],
});

export const arriveExpected = endpoint({
  method: 'POST',
  path: '/visit/:token/arrive',
  summary: '"I\'m here" from a texted link: the expected visit starts waiting',
  access: 'visit',
  audit: 'visit.arrive',
  params: ByToken,
  body: z.object({
    firstName: Name,
    lastName: Name,
    birthDate: z.iso.date(),
    household: Arrival.shape.household,
    contact: Arrival.shape.contact,
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

export const nameVisit = endpoint({
  method: 'POST',
  path: '/visit/:token/people',
  summary:
    'Who is seen, for a visit that arrived without names: by a text (HERE), or because the desk marked it as arrived',
  access: 'visit',
  audit: 'visit.name',
  params: ByToken,
  body: arriveExpected.body,
  reply: PatientVisit,
  refusals: ['visit_link_ended', 'visit_moved_on', 'visit_not_today', 'invalid_birth_date', 'link_not_proved'],
});

export const setPatientLanguage = endpoint({
  method: 'PATCH',
  path: '/visit/:token',
  summary: "Sets the language of this patient's texts",
  access: 'visit',
  params: ByToken,
  body: z.object({ language: Language }),
  reply: PatientVisit,
  refusals: ['visit_link_ended', 'link_not_proved'],
});

/** Data the server embeds in the patient's page, so the first paint needs no request. */
export interface PatientBoot {
  /** The office at this URL, and this browser's running visit there. */
  front: { office: OfficeFront; running: { token: string; initial: string | null } | null } | null;
  /** The visit of the token in this URL. */
  visit: PatientVisit | null;
  /** Its forms, as far as this link may see them. */
  forms: VisitForms | null;
  /** The ETag of the call that lists them: the page's own first call asks with it. */
  formsEtag?: string;
  /** The refusal if there is neither. */
  refused: RefusalCode | null;
  /** Whose link it was, if it has ended. */
  endedLink?: EndedLink;
}
