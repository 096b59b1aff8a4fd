import { useLingui } from '@lingui/react/macro';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { expiringValues } from './expiring-values.ts';
import type { PendingMove } from './pending-moves.ts';
import { currentVisitOf } from './send-move.ts';
import { useStatusLabel } from '#web/panel/features/queue/card/visit-status.tsx';

/** Refused moves with their reason, shown in the visit's row for ten seconds. */
export const refusedMoves = expiringValues<{ name: string; message: string }>(10_000);

/** Returns a function that says why a call about a visit was refused; after a conflict it names who acted first. */
export function useConflictMessage(): (error: unknown) => string {
  const { t } = useLingui();
  const statusLabel = useStatusLabel();
  return (error) => {
    const now = currentVisitOf(error);
    if (error instanceof CallError && error.code === 'visit_moved_on' && now) {
      const { kind, name } = now.actedBy;
      const status = statusLabel(now);
      if (kind === 'patient') return t`The patient already updated this visit: ${status}.`;
      if (kind === 'timer') return t`Auto-invite already updated this patient: ${status}.`;
      return name
        ? t`${name} already updated this patient: ${status}.`
        : t`Someone already updated this patient: ${status}.`;
    }
    return errorMessage(error, t`The server could not be reached. Try again.`);
  };
}

/** Explains a refused move. */
export function useRefusalMessage(): (ask: PendingMove, error: unknown) => string {
  const { t } = useLingui();
  const why = useConflictMessage();
  const notDone: Record<PendingMove['move'], string> = {
    invite: t`Not invited.`,
    reinvite: t`Not invited again.`,
    remind: t`Not invited again.`,
    finish: t`Not moved to History.`,
    remove: t`Not removed.`,
    moveBack: t`Not moved back.`,
  };
  return (ask, error) => `${notDone[ask.move]} ${why(error)}`;
}
