import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { queueStages, type QueueStage } from '#contract/sign-in/session.ts';
import { ArrowDownIcon } from '#web/icons/arrow-down.tsx';
import css from './stages.module.css';
import { useStageNames } from './stage-names.ts';
import type { Stages } from './stages.ts';

interface StageChipsProps {
  stages: Stages;
  only: QueueStage | undefined;
  onOnly: (stage: QueueStage) => void;
}

/** Shows one stage alone; the keys 1 to 5 do the same. All five stay in their places, also those without a patient. */
export function StageChips({ stages, only, onOnly }: StageChipsProps) {
  const { t } = useLingui();
  const names = useStageNames();
  return (
    <div className={css.chips} role="group" aria-label={t`Show one stage`}>
      {queueStages.map((stage, i) => (
        <button
          key={stage}
          type="button"
          className={css.chip}
          aria-pressed={stage === only}
          aria-keyshortcuts={String(i + 1)}
          disabled={stages[stage].length === 0 && stage !== only}
          onClick={() => onOnly(stage)}
        >
          {names[stage]} <span className={css.count}>{stages[stage].length}</span>
        </button>
      ))}
    </div>
  );
}

/** Leads to who arrived a moment ago, the first of them first. Over the list, where it hides no stage and moves no card. */
export function NewArrivalsPill({ newIds, onOpen }: { newIds: readonly string[]; onOpen: (visitId: string) => void }) {
  const { t } = useLingui();
  const [first] = newIds;
  const count = newIds.length;
  if (first === undefined) return null;
  return (
    <button type="button" className={css.fresh} onClick={() => onOpen(first)}>
      {t`${plural(count, { one: '# new', other: '# new' })}`}
      <ArrowDownIcon size={12} />
    </button>
  );
}
