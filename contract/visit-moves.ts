/** The life cycle of a visit: its states, and which move is possible in which state. */
import * as z from 'zod/mini';

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
export const endReasons = ['seen', 'no-show', 'left', 'cancelled', 'duplicate'] as const;
export const EndReason = z.enum(endReasons);
export type EndReason = z.output<typeof EndReason>;

/** The reasons that the desk chooses from. Nobody was seen before the invitation; whoever was invited did not check in twice. */
export const reasonsOf = {
  remove: ['left', 'no-show', 'cancelled', 'duplicate'],
  finish: ['seen', 'no-show', 'left', 'cancelled'],
} as const satisfies Record<'remove' | 'finish', readonly EndReason[]>;

/** The reason of a caller that gives none. */
export const defaultReasonOf = { remove: 'left', finish: 'seen' } as const satisfies Record<
  'remove' | 'finish',
  EndReason
>;

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
  moveBack: { by: ['staff'], from: ['DOCTOR_CANCELLED', 'PATIENT_DONE'], to: 'back' },
} as const satisfies Record<string, MoveRule>;
export type Move = keyof typeof moves;

/** Whether this visit may make this move in its current state. */
export function mayMove(visit: { statusCode: VisitStatus }, move: Move): boolean {
  return (moves[move].from as readonly VisitStatus[]).includes(visit.statusCode);
}

/** How long a patient who said "I'm in" stays on the Checkin tab. */
const insideMs = 10 * 60_000;

/** Whether the patient said "I'm in" within the last ten minutes; `now` is in ms since 1970. */
export function isInside(visit: { statusCode: VisitStatus; endedAt: string | null }, now: number): boolean {
  return visit.statusCode === 'PATIENT_DONE' && visit.endedAt !== null && now - Date.parse(visit.endedAt) < insideMs;
}

/** Whether staff may move the visit back: one that they ended themselves, or a patient who is inside. */
export function mayMoveBack(visit: { statusCode: VisitStatus; endedAt: string | null }, now: number): boolean {
  return mayMove(visit, 'moveBack') && (visit.statusCode !== 'PATIENT_DONE' || isInside(visit, now));
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
