/**
 * The visit as its patient sees and moves it.
 *
 * token: the secret in a visit link. 128+ random bits, stored hashed, one per link; it expires two days after the visit. It is proved if it
 * was texted to the visit's number, and unproved if a browser got it by typing that number.
 */
import * as z from 'zod/mini';
import { PatientPayment } from '#contract/copay.ts';
import { endpoint } from '#contract/endpoint.ts';
import { EndReason, MissingPicture, VisitStatus } from '#contract/queue.ts';
import { Instant, Language, Npi, Token } from '#contract/shapes.ts';
import { Arrival } from './check-in.ts';

/** A visit's link works so many days after the visit's day. The phone's texts and the privacy notice say "two days". */
export const visitLinkDays = 2;

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
  /** The same as on the check-in page. */
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
  /** The practice has called the patient in at least once. */
  wasCalled: z.boolean(),
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
  /** False if the visit's number is known to get no texts from this practice: then the page promises none. Only a texted link learns of STOP. */
  getsTexts: z.boolean(),
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

export const ByToken = z.object({ token: Token });

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
  /** `sent` is false if the number gets no texts. Only a texted link learns that because of STOP. */
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
    firstName: Arrival.shape.firstName,
    lastName: Arrival.shape.lastName,
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
