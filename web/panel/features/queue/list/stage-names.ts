import { useLingui } from '@lingui/react/macro';
import type { QueueStage } from '#contract/sign-in/session.ts';

/** The stages' names. */
export function useStageNames(): Record<QueueStage, string> {
  const { t } = useLingui();
  return {
    'needs-you': t`Needs you`,
    waiting: t`Waiting`,
    called: t({ message: 'Called', context: 'the patients who were called in' }),
    going: t`On the way`,
    inside: t({ message: 'Inside', context: 'the patients who are inside' }),
  };
}
