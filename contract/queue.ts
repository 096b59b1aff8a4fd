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

export {
  TextBlock,
  TextErrorClass,
  textLimitNames,
  TextProblem,
  TextState,
  type TextLimitName,
} from './text-states.ts';

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

/** Who made a visit's last move. */
export const VisitActor = z.enum(['staff', 'patient', 'timer', 'operator']);
export type VisitActor = z.output<typeof VisitActor>;

interface MoveRule {
  /** Who may make it: a patient on the phone, staff in the panel, or the auto-invite timer. */
  by: readonly ('patient' | 'staff' | 'timer')[];
  from: readonly VisitStatus[];
  /** The resulting state; `stay` keeps the state, `back` restores the state before the last move. */
  to: VisitStatus | 'stay' | 'back';
  texts?: true;
}

const open = ['EXPECTED', 'WAITING', 'INVITED', 'REINVITED', 'GOING'] as const satisfies readonly VisitStatus[];
const beforeInvitation = ['WAITING', 'EXPECTED'] as const satisfies readonly VisitStatus[];

/** The allowed moves. The server refuses all others; the panel and the phone hide their buttons. */
export const moves = {
  arrive: { by: ['patient', 'staff'], from: ['EXPECTED'], to: 'WAITING' },
  invite: { by: ['staff', 'timer'], from: ['WAITING'], to: 'INVITED', texts: true },
  reinvite: { by: ['staff'], from: ['INVITED', 'REINVITED'], to: 'REINVITED', texts: true },
  remind: { by: ['staff'], from: ['GOING'], to: 'stay', texts: true },
  onMyWay: { by: ['patient'], from: ['INVITED', 'REINVITED'], to: 'GOING' },
  imIn: { by: ['patient'], from: ['INVITED', 'REINVITED', 'GOING'], to: 'PATIENT_DONE' },
  cancel: { by: ['patient'], from: open, to: 'PATIENT_CANCELLED' },
  finish: { by: ['staff'], from: ['INVITED', 'REINVITED', 'GOING'], to: 'DOCTOR_CANCELLED' },
  remove: { by: ['staff'], from: beforeInvitation, to: 'DOCTOR_CANCELLED' },
  moveBack: { by: ['staff'], from: ['DOCTOR_CANCELLED'], to: 'back' },
} as const satisfies Record<string, MoveRule>;
export type Move = keyof typeof moves;

/** Whether this visit may make this move in its current state. */
export function mayMove(visit: { statusCode: VisitStatus }, move: Move): boolean {
  return (moves[move].from as readonly VisitStatus[]).includes(visit.statusCode);
}

/** Whether the move texts the patient. */
export function textsPatient(move: Move): boolean {
  return 'texts' in moves[move];
}

/** Whether the patient has not been invited yet. */
export function isBeforeInvitation(status: VisitStatus): boolean {
  return (beforeInvitation as readonly VisitStatus[]).includes(status);
}

/** The move by which staff end a visit: `remove` before the invitation, `finish` after it. */
export function endingMove(status: VisitStatus): 'remove' | 'finish' {
  return isBeforeInvitation(status) ? 'remove' : 'finish';
}

/** The move by which staff text an invited patient again. A patient who is on the way keeps that status. */
export function inviteAgainMove(status: VisitStatus): 'remind' | 'reinvite' {
  return mayMove({ statusCode: status }, 'remind') ? 'remind' : 'reinvite';
}

/** The state after a move; for `back`, `before` is the state before the visit ended. */
export function statusAfter(
  visit: { statusCode: VisitStatus; statusBefore: VisitStatus | null },
  move: Move,
): VisitStatus {
  const { to } = moves[move];
  if (to === 'stay') return visit.statusCode;
  return to === 'back' ? (visit.statusBefore ?? 'WAITING') : to;
}

/** Listed under History; every other state is listed under Checkin (EXPECTED under neither). */
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
  forms: z.array(FormIndicator),
  covid: z.boolean(),
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

/** What staff may send to `POST /virtual-queue/`: the new statusCode. */
export const QueueAction = z.enum(['INVITED', 'REINVITED', 'DOCTOR_CANCELLED', 'WAITING', 'BACK']);
export type QueueAction = z.output<typeof QueueAction>;

export type StaffMove = {
  [M in Move]: 'staff' extends (typeof moves)[M]['by'][number] ? M : never;
}[Move];

/** How staff request each move: the inverse of `moveOfAction`. */
export const actionOfMove = {
  arrive: 'WAITING',
  invite: 'INVITED',
  reinvite: 'REINVITED',
  remind: 'REINVITED',
  finish: 'DOCTOR_CANCELLED',
  remove: 'DOCTOR_CANCELLED',
  moveBack: 'BACK',
} as const satisfies Record<StaffMove, QueueAction>;

/** The move that an action means for a visit of this status. */
export function moveOfAction(action: QueueAction, status: VisitStatus): StaffMove {
  if (action === 'INVITED') return 'invite';
  if (action === 'REINVITED') return inviteAgainMove(status);
  if (action === 'WAITING') return 'arrive';
  if (action === 'BACK') return 'moveBack';
  return endingMove(status);
}

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
    /** The end reason (`seen`, `no-show`, `left`, `cancelled`) or a free note. */
    notes: z.optional(z.string().check(z.maxLength(500))),
    patient: z.optional(z.string().check(z.maxLength(401))),
    relatedNpi: z.optional(Npi),
  }),
  reply: QueueEntry,
  refusals: ['visit_not_found', 'visit_moved_on', 'visit_not_today', 'visit_running', ...textRefusals],
});

/** Requests every missing form instead of one form type. */
export const allMissingForms = '*';

export const MessageSender = z.enum(['office', 'patient']);
export type MessageSender = z.output<typeof MessageSender>;

export const MessageKind = z.enum(['message', 'invite', 'reinvite', 'link']);
export type MessageKind = z.output<typeof MessageKind>;
/** `notice`: an answer that carriers require; no screen shows it. */
export type TextKind = MessageKind | 'notice';

/** Why a picture that came by text cannot be shown. */
export const pictureProblems = ['not-a-picture', 'unreadable', 'too-large', 'too-many', 'unavailable'] as const;
export type PictureProblem = (typeof pictureProblems)[number];

/** `fetching`: the carrier has it, and it will be here in a moment. */
export const MissingPicture = z.enum(['fetching', ...pictureProblems]);
export type MissingPicture = z.output<typeof MissingPicture>;

export const VisitMessage = z.object({
  id: z.uuid(),
  at: Instant,
  from: MessageSender,
  /** The staff member who wrote it; null for an automatic text (an invite). */
  by: z.nullable(z.string()),
  kind: MessageKind,
  body: z.string(),
  /** The text it was sent in; null for a message from the patient. */
  textId: z.nullable(z.uuid()),
  state: z.nullable(TextState),
  /** Why it failed or is held back; null otherwise. */
  problem: z.nullable(TextProblem),
  /** When the limit that held it back allows the next text; null if no limit did. */
  limitedUntil: z.nullable(Instant),
  /** When it goes out, if it waits for the end of quiet hours; null otherwise. */
  sendAt: z.nullable(Instant),
  /** The picture it shows, with its size in pixels; its body describes the picture, if somebody did. */
  picture: z.nullable(z.object({ id: z.uuid(), conversationId: z.uuid(), width: z.int(), height: z.int() })),
  /** Why it does not show the picture that the patient sent; null if it does, and without one. */
  missingPicture: z.nullable(MissingPicture),
  /** The form it requested, `*` for all missing ones; null for every other message. */
  askedForm: z.nullable(z.string()),
});
export type VisitMessage = z.output<typeof VisitMessage>;

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

/** It is quiet where a number is: until when, and whether an answer waits until then (in the demo it goes out at once). */
export const QuietNow = z.object({ until: Instant, waits: z.boolean() });
export type QuietNow = z.output<typeof QuietNow>;

/** Whether an answer waits for the end of quiet hours (that is the default), or goes out in them. */
export const QuietChoice = z.enum(['wait', 'ignore']);
export type QuietChoice = z.output<typeof QuietChoice>;

/** A visit with everything that the detail panel shows. */
export const OpenedVisit = z.object({
  visit: QueueEntry,
  messages: z.array(VisitMessage),
  history: z.array(VisitEvent),
  /** The patient's newest message: whoever has read it marks the conversation as read up to this sequence. */
  newestReply: z.nullable(z.object({ conversationId: z.uuid(), sequence: z.int() })),
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
});
export type CheckedIn = z.output<typeof CheckedIn>;

/** The older forms list: today's checked-in patients. */
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
