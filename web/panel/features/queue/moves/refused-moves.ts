import { useLingui } from '@lingui/react/macro';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { expiringValues } from './expiring-values.ts';
import type { PendingMove } from './pending-moves.ts';
import { currentVisitOf } from './send-move.ts';
import { useStatusLabel } from '#web/panel/features/queue/card/visit-status.tsx';

/** Refused moves with their reason, shown in the visit's row for ten seconds. */
export const refusedMoves = expiringValues<{ name: string; message: string }>(10_000);

/** Explains a refused move; after a conflict it names who acted first. */
export function useRefusalMessage(): (ask: PendingMove, error: unknown) => string {
  const { t } = useLingui();
  const statusLabel = useStatusLabel();
  const notDone: Record<PendingMove['move'], string> = {
    invite: t`Not invited.`,
    reinvite: t`Not invited again.`,
    remind: t`Not invited again.`,
    finish: t`Not moved to History.`,
    remove: t`Not removed.`,
    moveBack: t`Not moved back.`,
  };
  const why = (error: unknown): string => {
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
  return (ask, error) => `${notDone[ask.move]} ${why(error)}`;
}
