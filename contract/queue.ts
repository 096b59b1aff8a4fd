/**
 * The live queue.
 *
 * visit: one phone's party at one office on one office-local day, from arrival to end.
 * member: one family member who is being seen on that visit.
 * patient: the phone holder's account in one office (`patientUserCode`), never shared between offices.
 * move: what may follow what in a visit's life; every move bumps `version`.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant, Language, Npi } from './shapes.ts';
import { textRefusals } from './refusals.ts';

export const visitStatuses = [
  'EXPECTED',
  'WAITING',
  'INVITED',
  'REINVITED',
  'GOING',
  'PATIENT_DONE',
  'PATIENT_CANCELLED',
  'DOCTOR_CANCELLED',
] as const;
export const VisitStatus = z.enum(visitStatuses);
export type VisitStatus = z.output<typeof VisitStatus>;

/** Why staff ended a visit. */
export const endReasons = ['seen', 'no-show', 'left', 'cancelled'] as const;
export const EndReason = z.enum(endReasons);
export type EndReason = z.output<typeof EndReason>;

interface MoveRule {
  /** Who may make it: a patient on the phone, staff in the panel, or the auto-invite timer. */
  by: readonly ('patient' | 'staff' | 'timer')[];
  from: readonly VisitStatus[];
  /** The state it leads to; `stay` keeps the state, `back` is the state before the last move. */
  to: VisitStatus | 'stay' | 'back';
  texts?: true;
}

const open = ['EXPECTED', 'WAITING', 'INVITED', 'REINVITED', 'GOING'] as const satisfies readonly VisitStatus[];

/** What may follow what. The server refuses by this table, the panel and the phone hide buttons by it. */
export const moves = {
  arrive: { by: ['patient', 'staff'], from: ['EXPECTED'], to: 'WAITING' },
  invite: { by: ['staff', 'timer'], from: ['WAITING'], to: 'INVITED', texts: true },
  reinvite: { by: ['staff'], from: ['INVITED', 'REINVITED'], to: 'REINVITED', texts: true },
  remind: { by: ['staff'], from: ['GOING'], to: 'stay', texts: true },
  onMyWay: { by: ['patient'], from: ['INVITED', 'REINVITED'], to: 'GOING' },
  imIn: { by: ['patient'], from: ['INVITED', 'REINVITED', 'GOING'], to: 'PATIENT_DONE' },
  cancel: { by: ['patient'], from: open, to: 'PATIENT_CANCELLED' },
  finish: { by: ['staff'], from: ['INVITED', 'REINVITED', 'GOING'], to: 'DOCTOR_CANCELLED' },
  remove: { by: ['staff'], from: ['WAITING', 'EXPECTED'], to: 'DOCTOR_CANCELLED' },
  moveBack: { by: ['staff'], from: ['DOCTOR_CANCELLED'], to: 'back' },
} as const satisfies Record<string, MoveRule>;
export type Move = keyof typeof moves;

/** May this visit make this move from the state it is in? */
export function mayMove(visit: { statusCode: VisitStatus }, move: Move): boolean {
  return (moves[move].from as readonly VisitStatus[]).includes(visit.statusCode);
}

/** The state a move leads to; `before` is the state the visit had before it was ended (for `back`). */
export function statusAfter(
  visit: { statusCode: VisitStatus; statusBefore: VisitStatus | null },
  move: Move,
): VisitStatus {
  const { to } = moves[move];
  if (to === 'stay') return visit.statusCode;
  return to === 'back' ? (visit.statusBefore ?? 'WAITING') : to;
}

/** Shown under History; everything else is shown under Checkin (EXPECTED under neither). */
export function isHistory(status: VisitStatus): boolean {
  return status === 'PATIENT_CANCELLED' || status === 'PATIENT_DONE' || status === 'DOCTOR_CANCELLED';
}

export const openStatuses: readonly VisitStatus[] = open;

/** Minutes after which a visit counts as late, by state; an office can change them. */
export const lateMinutesDefault = { WAITING: 10, INVITED: 15, GOING: 40 } as const;

const LateMinutes = z.object({ WAITING: z.int(), INVITED: z.int(), GOING: z.int() });
export type LateMinutes = z.output<typeof LateMinutes>;

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
  /** Of how many family members it is needed, of how many it is done, and by how many it was begun. */
  needed: z.int(),
  done: z.int(),
  started: z.int(),
  /** Whose is missing. */
  missing: z.array(z.string()),
  /** What a screening came to; null for forms that screen nothing. */
  outcome: z.nullable(z.enum(['clear', 'review'])),
});
export type FormIndicator = z.output<typeof FormIndicator>;

/** Life of a text: `queued` and `held` may still be cancelled; `unknown` is shown, never blindly resent. */
export const TextState = z.enum(['queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'held', 'cancelled']);
export type TextState = z.output<typeof TextState>;

/** Why a text failed. */
export const textErrorClasses = ['opted-out', 'bad-number', 'sender', 'rate', 'delivery', 'other'] as const;
export const TextErrorClass = z.enum(textErrorClasses);
export type TextErrorClass = z.output<typeof TextErrorClass>;

/** One row of the queue. Other programs read these names; `id`, `version` and what our panel shows came later. */
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
  actedBy: z.object({ kind: z.enum(['staff', 'patient', 'timer', 'operator']), name: z.nullable(z.string()) }),
  autoInviteAt: z.nullable(Instant),
  stillWaitingAt: z.nullable(Instant),
  language: Language,
  activePatients: z.array(z.object({ name: z.string(), birthDate: z.nullable(z.iso.date()) })),
  messageCount: z.int(),
  lastMessageState: z.nullable(TextState),
  /** The text that `lastMessageState` is about, and why it failed. */
  lastTextId: z.nullable(z.uuid()),
  lastTextProblem: z.nullable(TextErrorClass),
  forms: z.array(FormIndicator),
  covid: z.boolean(),
  patientCovidWarning: z.boolean(),
  updateRequired: z.boolean(),
  device: z.object({ notificationsEnabled: z.boolean() }),
  paymentResponse: z.nullable(z.object({ state: z.string(), amount: z.int(), chargeId: z.string() })),
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
    /** A day of the office's time zone as MMDDYYYY; today when absent. */
    datetime: z.optional(z.string().check(z.regex(/^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{4}$/))),
  }),
  reply: z.array(QueueEntry),
});

/** What staff may ask of `POST /virtual-queue/`, in the words of part 2: the new statusCode. */
export const QueueAction = z.enum(['INVITED', 'REINVITED', 'DOCTOR_CANCELLED', 'WAITING', 'BACK']);

export const moveVisit = endpoint({
  method: 'POST',
  path: '/virtual-queue/',
  summary: 'Moves a visit on: invite, reinvite, move to history, remove, move back',
  access: 'office',
  audit: 'visit.move',
  body: z.object({
    /** Our panel names the visit by `id`; other callers by `userCode` and `dateTime` (its createdAt). */
    id: z.optional(z.uuid()),
    /** The version the caller saw: another one means somebody was faster (409). */
    version: z.optional(z.int()),
    userCode: z.optional(z.string().check(z.maxLength(64))),
    dateTime: z.optional(Instant),
    action: QueueAction,
    /** The end reason (`seen`, `no-show`, `left`, `cancelled`) or a free note. */
    notes: z.optional(z.string().check(z.maxLength(500))),
    patient: z.optional(z.string().check(z.maxLength(401))),
    relatedNpi: z.optional(Npi),
  }),
  reply: QueueEntry,
  refusals: ['visit_not_found', 'visit_moved_on', 'visit_not_today', 'visit_running', ...textRefusals],
});

/** In place of a form type: every form that is missing. */
export const allMissingForms = '*';

export const VisitMessage = z.object({
  id: z.uuid(),
  at: Instant,
  from: z.enum(['office', 'patient']),
  /** Who of the office wrote it; null for a text the house wrote itself (an invite). */
  by: z.nullable(z.string()),
  kind: z.enum(['message', 'invite', 'reinvite', 'link']),
  body: z.string(),
  /** The text that carries it; null for what the patient wrote. */
  textId: z.nullable(z.uuid()),
  state: z.nullable(TextState),
  /** Why it failed; null while it has not. */
  problem: z.nullable(TextErrorClass),
  /** The form it asked for, `*` for all that are missing; null for every other message. */
  askedForm: z.nullable(z.string()),
});
export type VisitMessage = z.output<typeof VisitMessage>;

export const VisitEvent = z.object({
  at: Instant,
  move: z.string(),
  from: z.nullable(VisitStatus),
  to: VisitStatus,
  by: z.enum(['staff', 'patient', 'timer', 'operator']),
  byName: z.nullable(z.string()),
  note: z.nullable(z.string()),
});
export type VisitEvent = z.output<typeof VisitEvent>;

export const readVisit = endpoint({
  method: 'GET',
  path: '/virtual-queue/visit/:visitId',
  summary: 'One visit with its messages and its history, for the detail panel',
  access: 'office',
  audit: 'visit.read',
  params: z.object({ visitId: z.uuid() }),
  reply: z.object({ visit: QueueEntry, messages: z.array(VisitMessage), history: z.array(VisitEvent) }),
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
    /** Which visit it belongs to; without it the newest of today whose patient opened a texted link, else the last such visit. */
    visitId: z.optional(z.uuid()),
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
  /** How many forms of the party are filed. */
  formsFiled: z.int(),
  /** A screening of the party came to Review. */
  review: z.boolean(),
});
export type CheckedIn = z.output<typeof CheckedIn>;

/** The older forms list: who checked in today. */
export const listCheckedIn = endpoint({
  method: 'GET',
  path: '/queue/:npi',
  summary: "Today's checked-in patients, for the forms list",
  access: 'office',
  audit: 'queue.read',
  params: z.object({ npi: Npi }),
  reply: z.array(CheckedIn),
  refusals: ['office_not_found'],
});
