import { useLingui } from '@lingui/react/macro';
import { CallError } from '#web/kit/call.ts';
import { errorWords } from '#web/kit/error-messages.ts';
import { forAWhile } from './expiring-values.ts';
import type { Ask } from './pending-moves.ts';
import { currentOf } from './send-move.ts';
import { useStatusWords } from './visit-status.tsx';

/** What was refused and why, in the row it is about, for ten seconds. */
export const refusedRows = forAWhile<{ name: string; words: string }>(10_000);

/** Says what was refused and why, naming who acted where somebody was faster. */
export function useRefusalWords(): (ask: Ask, error: unknown) => string {
  const { t } = useLingui();
  const statusWords = useStatusWords();
  const notDone: Record<Ask['move'], string> = {
    invite: t`Not invited.`,
    reinvite: t`Not invited again.`,
    remind: t`Not invited again.`,
    finish: t`Not moved to History.`,
    remove: t`Not removed.`,
    moveBack: t`Not moved back.`,
  };
  const why = (error: unknown): string => {
    const now = currentOf(error);
    if (error instanceof CallError && error.code === 'visit_moved_on' && now) {
      const { kind, name } = now.actedBy;
      const status = statusWords(now);
      if (kind === 'patient') return t`The patient was faster: ${status}.`;
      if (kind === 'timer') return t`The automatic invite was faster: ${status}.`;
      return name ? t`${name} was faster: ${status}.` : t`Someone was faster: ${status}.`;
    }
    return errorWords(error, t`The server could not be reached. Try again.`);
  };
  return (ask, error) => `${notDone[ask.move]} ${why(error)}`;
}
