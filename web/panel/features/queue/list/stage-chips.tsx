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
  /** Who arrived a moment ago, the first of them first. */
  newIds: readonly string[];
  onOpen: (visitId: string) => void;
}

/** Shows one stage alone; the keys 1 to 5 do the same. At its end, who is new. */
export function StageChips({ stages, only, onOnly, newIds, onOpen }: StageChipsProps) {
  const { t } = useLingui();
  const names = useStageNames();
  const [first] = newIds;
  const count = newIds.length;
  return (
    <div className={css.chips}>
      <div className={css.filters} role="group" aria-label={t`Show one stage`}>
        {queueStages.map(
          (stage, i) =>
            stages[stage].length > 0 && (
              <button
                key={stage}
                type="button"
                className={css.chip}
                aria-pressed={stage === only}
                aria-keyshortcuts={String(i + 1)}
                onClick={() => onOnly(stage)}
              >
                {names[stage]} <span className={css.count}>{stages[stage].length}</span>
              </button>
            ),
        )}
      </div>
      {first !== undefined && (
        <button type="button" className={css.fresh} onClick={() => onOpen(first)}>
          {t`${plural(count, { one: '# new', other: '# new' })}`}
          <ArrowDownIcon size={12} />
        </button>
      )}
    </div>
  );
}
