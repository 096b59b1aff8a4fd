import { queueStages, type QueueStage } from '#contract/sign-in/session.ts';
import { useSavePreference, useSession } from '#web/kit/session.ts';

interface ClosedStages {
  closed: readonly QueueStage[];
  setStage: (stage: QueueStage, isOpen: boolean) => void;
}

/** The stages of the list that this person closed, remembered on the server. */
export function useClosedStages(): ClosedStages {
  const saved = useSession().person?.preferences.closedStages;
  const save = useSavePreference();
  const closed = queueStages.filter((stage) => Array.isArray(saved) && saved.includes(stage));
  return {
    closed,
    setStage: (stage, isOpen) => {
      const others = closed.filter((other) => other !== stage);
      void save({ closedStages: isOpen ? others : [...others, stage] });
    },
  };
}
