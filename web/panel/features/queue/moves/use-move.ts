import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isHistory, mayMove, textsPatient, type EndReason, type QueueEntry } from '#contract/queue.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useSession } from '#web/kit/session.ts';
import { dismissToast } from '#web/panel/ui/toasts.ts';
import { textOf } from '#web/panel/features/queue/texting/follow-text.ts';
import { expiringValues } from './expiring-values.ts';
import { moveKey, type PendingMove } from './pending-moves.ts';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';
import { refusedMoves, useRefusalMessage } from './refused-moves.ts';
import { currentVisitOf, sendMove } from './send-move.ts';
import { forgetUndo, rememberUndo, toastStep, useUndoable } from './undo.ts';
import { refetchVisit, showVisit, cachedVisit } from '#web/panel/features/queue/visits/use-queue.ts';
import { useTextOutcome } from '#web/panel/features/queue/texting/use-text-outcome.ts';

/** After an invite, inviting the same patient again is disabled for four seconds. */
export const recentlyInvited = expiringValues<true>(4_000);

export type MakeMove = (
  visit: QueueEntry,
  move: PendingMove['move'],
  reason?: EndReason,
  /** `isOneOfMany`: whoever makes many moves at once offers one Undo for all. */
  options?: { isOneOfMany?: boolean },
) => void;

/** Makes a move with an optimistic update. A refusal is shown in the row. `onUndo` gets the visit whose toast was undone. */
export function useMove(onUndo: (visitId: string) => void): MakeMove {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { person } = useSession();
  const refusalMessage = useRefusalMessage();
  const tellOutcome = useTextOutcome();
  const shownName = useShownName();

  const { mutate } = useMutation<QueueEntry, Error, PendingMove>({
    mutationKey: moveKey,
    mutationFn: sendMove,
    onSuccess: (visit, { move }) => {
      showVisit(cache, visit);
      refetchVisit(cache, visit.id);
      const name = shownName(visit.patientName, visit.username);
      if (textsPatient(move)) {
        void tellOutcome(visit.id, textOf(visit), {
          name,
          sent: {
            title: t`Invitation sent`,
            text: t`The invitation was sent to the patient`,
            name,
            seconds: 2,
          },
          refused: move === 'invite' ? t`${name} was invited, but not texted` : t`${name} was not texted`,
        });
      }
      if (move === 'moveBack') toastStep({ title: t`${name} moved back to Checkin` });
    },
    onError: (error, ask) => {
      const now = currentVisitOf(error);
      if (now) showVisit(cache, now);
      if (ask.toast) dismissToast(ask.toast);
      refusedMoves.hold(ask.visit.id, { name: ask.visit.patientName, message: refusalMessage(ask, error) });
      // After a lost connection it can still be undone; any other refusal is final.
      if (ask.move === 'moveBack' && !now) rememberUndo(ask.visit.id);
      else forgetUndo(ask.visit.id);
      refetchVisit(cache, ask.visit.id);
    },
  });

  const make: MakeMove = (shown, move, reason, { isOneOfMany = false } = {}) => {
    const visit = newest(shown, cachedVisit(cache, shown.id));
    if (!mayMove(visit, move)) return;
    if (textsPatient(move) && recentlyInvited.has(visit.id)) return;
    if (textsPatient(move)) recentlyInvited.hold(visit.id, true);
    refusedMoves.forget(visit.id);
    const undoToast = !isOneOfMany && (move === 'finish' || move === 'remove') ? offerUndo(visit, move) : undefined;
    if (move === 'moveBack') forgetUndo(visit.id);
    mutate({ visit, move, reason, at: new Date(serverNow()).toISOString(), by: person?.name ?? '', toast: undoToast });
  };
  const offerUndo = (visit: QueueEntry, move: 'finish' | 'remove') => {
    rememberUndo(visit.id);
    const undo = () => {
      make(endVisit(cachedVisit(cache, visit.id) ?? visit), 'moveBack');
      onUndo(visit.id);
    };
    const patient = shownName(visit.patientName, visit.username);
    return toastStep({
      title: move === 'finish' ? t`${patient} moved to History` : t`${patient} removed`,
      action: { label: t`Undo`, run: undo },
    });
  };
  return make;
}

/** The screen may be one frame behind the previous answer: use the cached visit if it has the same state and a newer version. */
function newest(shown: QueueEntry, known: QueueEntry | undefined): QueueEntry {
  return known && known.version > shown.version && known.statusCode === shown.statusCode ? known : shown;
}

/** Undo may run before the server has answered; the cached visit is then still open. */
export function endVisit(visit: QueueEntry): QueueEntry {
  return isHistory(visit.statusCode)
    ? visit
    : { ...visit, statusCode: 'DOCTOR_CANCELLED', statusBefore: visit.statusCode };
}

/** Undoes the last move to History or removal from this desk, if any. */
export function useUndo(visits: readonly QueueEntry[], move: MakeMove): () => void {
  const undoable = useUndoable();
  return () => {
    for (const { id, run } of undoable.toReversed()) {
      if (run) return run();
      const visit = visits.find((one) => one.id === id);
      if (visit && mayMove(visit, 'moveBack')) return move(visit, 'moveBack');
    }
  };
}
