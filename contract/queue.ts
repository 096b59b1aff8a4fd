/**
 * The live queue.
 *
 * visit: one phone's party at one office on one office-local day, from arrival to end.
 * member: one family member seen on that visit.
 * patient: the phone holder's account in one office (`patientUserCode`), never shared between offices.
 * move: a change of a visit's status; every move bumps `version`.
 */
import * as z from 'zod/mini';
import { PaymentResponse } from './copay.ts';
import { endpoint } from './endpoint.ts';
import { Instant, Language, Npi } from './shapes.ts';
import { textRefusals } from './refusals/texts.ts';
import { TextBlock, TextProblem, TextState } from './text-states.ts';
import { QuietChoice, QuietNow, VisitMessage } from './visit-messages.ts';
import { EndReason, QueueAction, VisitActor, VisitStatus } from './visit-moves.ts';

export {
  TextBlock,
  TextErrorClass,
  textLimitNames,
  TextProblem,
  TextState,
  type TextLimitName,
} from './text-states.ts';
export * from './visit-messages.ts';
export * from './visit-moves.ts';

/** A form's readiness on the card. */
export const FormIndicator = z.object({
  indicator: z.string(),
  formName: z.string(),
  complete: z.boolean(),
  incomplete: z.boolean(),
  enablePendingIndicator: z.boolean(),
  incompleteMessage: z.string(),
  completeMessage: z.string(),
  /** The name in both languages; `formName` is the English one. */
  visibleName: z.object({ en: z.string(), es: z.string() }),
  /** How many family members need it, have submitted it, and have started it. */
  needed: z.int(),
  done: z.int(),
  started: z.int(),
  /** Family members who still owe it. */
  missing: z.array(z.string()),
  /** A screening's result; null for forms that screen nothing. */
  outcome: z.nullable(z.enum(['clear', 'review'])),
});
export type FormIndicator = z.output<typeof FormIndicator>;

/** One row of the queue. Other programs read these names; `id`, `version` and what only our panel shows came later. */
export const QueueEntry = z.object({
  id: z.uuid(),
  version: z.int(),
  npi: Npi,
  patient: z.string(),
  patientUserCode: z.string(),
  patientName: z.string(),
  username: z.string(),
  statusCode: VisitStatus,
  statusBefore: z.nullable(VisitStatus),
  createdAt: Instant,
  statusAt: Instant,
  invitedAt: z.nullable(Instant),
  endedAt: z.nullable(Instant),
  endReason: z.nullable(EndReason),
  endNote: z.nullable(z.string()),
  /** Who made the last move. */
  actedBy: z.object({ kind: VisitActor, name: z.nullable(z.string()) }),
  autoInviteAt: z.nullable(Instant),
  stillWaitingAt: z.nullable(Instant),
  language: Language,
  activePatients: z.array(z.object({ name: z.string(), birthDate: z.nullable(z.iso.date()) })),
  messageCount: z.int(),
  lastMessageState: z.nullable(TextState),
  /** The text `lastMessageState` describes, and why it failed or is held back. */
  lastTextId: z.nullable(z.uuid()),
  lastTextProblem: z.nullable(TextProblem),
  /** When the limit that held it back allows the next text; null if no limit did. */
  lastTextLimitedUntil: z.nullable(Instant),
  /** Why the patient's number gets no texts; null if it does. */
  textBlock: z.nullable(TextBlock),
  /** Messages of the patient that no desk has read. */
  unreadMessages: z.int(),
  /** How the newest of them begins; null if there is none, or it is only a picture. */
  unreadText: z.nullable(z.string()),
  forms: z.array(FormIndicator),
  /** Somebody of the party filed the COVID screening. */
  covid: z.boolean(),
  /** A COVID screening of the party resulted in Review; of other forms `forms` says it. */
  patientCovidWarning: z.boolean(),
  updateRequired: z.boolean(),
  device: z.object({ notificationsEnabled: z.boolean() }),
  paymentResponse: z.nullable(PaymentResponse),
});
export type QueueEntry = z.output<typeof QueueEntry>;

export const listQueue = endpoint({
  method: 'GET',
  path: '/virtual-queue/doctor',
  summary: "The office's queue of one day, oldest first. Polled: answers 304 to an unchanged ETag",
  access: 'office',
  etag: true,
  audit: 'queue.read',
  query: z.object({
    includeCancelled: z.optional(z.enum(['true', 'false'])),
    includeDoctorCancelled: z.optional(z.enum(['true', 'false'])),
    /** A day in the office's time zone as MMDDYYYY; today if absent. */
    datetime: z.optional(z.string().check(z.regex(/^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{4}$/))),
  }),
  reply: z.array(QueueEntry),
});

/** What changed in today's queue since `since`. */
export const QueueChanges = z.object({
  /** The version that the caller has after this answer: the next `since`. */
  version: z.string(),
  /** `visits` are the whole queue, because `since` is missing, unknown or too old; otherwise they replace those with the same id. */
  isWhole: z.boolean(),
  visits: z.array(QueueEntry),
  /** For each of these visits the one before it, so that a new one is put in its place; null for the first. Empty if it is the whole. */
  after: z.record(z.uuid(), z.nullable(z.uuid())),
  /** Visits that the queue does not show, or no longer. */
  removed: z.array(z.uuid()),
});
export type QueueChanges = z.output<typeof QueueChanges>;

export const listQueueChanges = endpoint({
  method: 'GET',
  path: '/virtual-queue/changes',
  summary: "What changed in today's queue since a version. Polled: answers 304 to an unchanged ETag",
  access: 'office',
  etag: true,
  audit: 'queue.read',
  query: z.object({ since: z.optional(z.string().check(z.maxLength(100))) }),
  reply: QueueChanges,
});

export const moveVisit = endpoint({
  method: 'POST',
  path: '/virtual-queue/',
  summary: 'Changes a visit: invite, reinvite, move to history, remove, move back',
  access: 'office',
  audit: 'visit.move',
  body: z.object({
    /** Our panel identifies the visit by `id`; other callers by `userCode` and `dateTime` (its createdAt). */
    id: z.optional(z.uuid()),
    /** The version the caller saw; if the visit has another one, somebody else was faster (409). */
    version: z.optional(z.int()),
    userCode: z.optional(z.string().check(z.maxLength(64))),
    dateTime: z.optional(Instant),
    action: QueueAction,
    /** The end reason (`seen`, `no-show`, `left`, `cancelled`, `duplicate`) or a free note. */
    notes: z.optional(z.string().check(z.maxLength(500))),
    patient: z.optional(z.string().check(z.maxLength(401))),
    relatedNpi: z.optional(Npi),
  }),
  reply: QueueEntry,
  refusals: ['visit_not_found', 'visit_moved_on', 'visit_not_today', 'visit_running', ...textRefusals],
});

export const VisitEvent = z.object({
  at: Instant,
  move: z.string(),
  from: z.nullable(VisitStatus),
  to: VisitStatus,
  by: VisitActor,
  byName: z.nullable(z.string()),
  note: z.nullable(z.string()),
});
export type VisitEvent = z.output<typeof VisitEvent>;

/** One form of one family member. */
export const MemberForm = z.object({
  formType: z.string(),
  /** The office's name for it. */
  visibleName: z.object({ en: z.string(), es: z.string() }),
  state: z.enum(['missing', 'started', 'submitted']),
  /** A screening's result; null for forms that screen nothing. */
  outcome: z.nullable(z.enum(['clear', 'review'])),
  /** The key of its PDF; null until it is submitted. */
  objectKey: z.nullable(z.string()),
});
export type MemberForm = z.output<typeof MemberForm>;

export const MemberForms = z.object({ memberId: z.uuid(), name: z.string(), forms: z.array(MemberForm) });
export type MemberForms = z.output<typeof MemberForms>;

/** A visit with everything that the detail panel shows. */
export const OpenedVisit = z.object({
  visit: QueueEntry,
  /** Who holds the phone, if that is no patient, such as a parent; null if it is one. */
  contactName: z.nullable(z.string()),
  /** The newest ones. */
  messages: z.array(VisitMessage),
  /** Older messages are in the inbox only. */
  hasOlderMessages: z.boolean(),
  history: z.array(VisitEvent),
  /** The patient's newest message: whoever has read it marks the conversation as read up to this sequence. */
  newestReply: z.nullable(z.object({ conversationId: z.uuid(), sequence: z.int() })),
  /** The forms that the office asks for, and others that were submitted, of each family member. */
  memberForms: z.array(MemberForms),
  /** The text that would request every missing form, with a placeholder for its link; null if none is missing. */
  formRequest: z.nullable(z.string()),
  /** The texts that other buttons would send, with placeholders for their links; those that request one form by the form's type. */
  texts: z.object({ invite: z.string(), reinvite: z.string(), forms: z.record(z.string(), z.string()) }),
  quiet: z.nullable(QuietNow),
});
export type OpenedVisit = z.output<typeof OpenedVisit>;

export const readVisit = endpoint({
  method: 'GET',
  path: '/virtual-queue/visit/:visitId',
  summary: 'One visit with its messages and its history, for the detail panel',
  access: 'office',
  audit: 'visit.read',
  params: z.object({ visitId: z.uuid() }),
  reply: OpenedVisit,
  refusals: ['visit_not_found'],
});

export const messagePatient = endpoint({
  method: 'POST',
  path: '/onemd/api/v2/message/:userCode',
  summary: "Texts a message to the patient and shows it on the patient's page",
  access: 'office',
  audit: 'message.send',
  creates: true,
  params: z.object({ userCode: z.string().check(z.minLength(1), z.maxLength(64)) }),
  body: z.object({
    title: z.optional(z.string().check(z.maxLength(200))),
    body: z.string().check(z.maxLength(1600)),
    /** Which visit it belongs to. Without it: today's, one whose patient opened a texted link before an open one; if there is none, the newest. */
    visitId: z.optional(z.uuid()),
    quietHours: z.optional(QuietChoice),
  }),
  reply: VisitMessage,
  refusals: ['visit_not_found', 'empty_message', ...textRefusals],
});

/** One row of the forms list. Other programs read these names; `id` and the forms' progress came later. */
export const CheckedIn = z.object({
  id: z.uuid(),
  patientName: z.string(),
  patientUserCode: z.string(),
  activePatients: z.array(z.object({ name: z.string() })),
  createdAt: Instant,
  /** How many forms the party has submitted. */
  formsFiled: z.int(),
  /** A screening of the party resulted in Review. */
  review: z.boolean(),
  /** It was a COVID screening. */
  covidReview: z.boolean(),
});
export type CheckedIn = z.output<typeof CheckedIn>;

/** The older forms list: today's checked-in patients. */
export const listCheckedIn = endpoint({
  method: 'GET',
  path: '/queue/:npi',
  summary: "Today's checked-in patients, for the forms list",
  access: 'office',
  etag: true,
  audit: 'queue.read',
  params: z.object({ npi: Npi }),
  reply: z.array(CheckedIn),
  refusals: ['office_not_found'],
});
