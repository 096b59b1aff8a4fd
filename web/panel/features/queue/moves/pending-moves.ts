import { useMutationState } from '@tanstack/react-query';
import {
  defaultReasonOf,
  isHistory,
  mayMove,
  statusAfter,
  textsPatient,
  type EndReason,
  type QueueEntry,
  type StaffMove,
} from '#contract/queue.ts';

/** A move that staff requested. The panel shows it optimistically until the server answers. */
export interface PendingMove {
  visit: QueueEntry;
  move: Exclude<StaffMove, 'arrive'>;
  reason?: EndReason | undefined;
  /** By the server's clock, ISO. */
  at: string;
  by: string;
  /** The success toast, dismissed if the move is refused. */
  toast?: number | undefined;
}

export const moveKey = ['queue-move'] as const;

/** Applies pending moves to the visits (optimistic update). A refusal rolls back only its own row. */
export function useWithPending(visits: readonly QueueEntry[] | undefined): readonly QueueEntry[] | undefined {
  const asks = useMutationState({
    filters: { mutationKey: moveKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as PendingMove,
  });
  if (asks.length === 0 || !visits) return visits;
  return visits.map((visit) => asks.filter((ask) => ask.visit.id === visit.id).reduce(applyMove, visit));
}

/** The visit after a move, as the server will return it. Unchanged if the move is already made or no longer allowed. */
export function applyMove(
  visit: QueueEntry,
  { move, reason, at, by }: Omit<PendingMove, 'visit' | 'toast'>,
): QueueEntry {
  if (!mayMove(visit, move)) return visit;
  const statusCode = statusAfter(visit, move);
  const ends = isHistory(statusCode);
  return {
    ...visit,
    statusCode,
    statusAt: statusCode === visit.statusCode ? visit.statusAt : at,
    statusBefore: ends ? visit.statusCode : null,
    invitedAt: textsPatient(move) ? at : visit.invitedAt,
    endedAt: ends ? at : null,
    endReason: move === 'finish' || move === 'remove' ? (reason ?? defaultReasonOf[move]) : null,
    stillWaitingAt: null,
    autoInviteAt: statusCode === 'WAITING' ? visit.autoInviteAt : null,
    actedBy: { kind: 'staff', name: by },
  };
}
