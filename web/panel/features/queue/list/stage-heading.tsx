import { memo } from 'react';
import type { QueueStage } from '#contract/sign-in/session.ts';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import css from './stages.module.css';
import { useStageNames } from './stage-names.ts';

interface StageHeadingProps {
  stage: QueueStage;
  count: number;
  isOpen: boolean;
  isCompact: boolean;
  /** Distance from the top of the list, px. */
  top: number;
  onToggle: (stage: QueueStage, isOpen: boolean) => void;
}

/** The name of a stage and how many are in it; a press closes or opens it. */
export const StageHeading = memo(function StageHeading(props: StageHeadingProps) {
  const { stage, count, isOpen, isCompact, top, onToggle } = props;
  const names = useStageNames();
  return (
    <button
      type="button"
      className={classNames(css.heading, isCompact && css.compact)}
      style={{ transform: `translateY(${top}px)` }}
      aria-expanded={isOpen}
      onClick={() => onToggle(stage, !isOpen)}
    >
      <ChevronDownIcon size={14} />
      {names[stage]}
      <Counter strong={stage === 'needs-you'}>{count}</Counter>
    </button>
  );
});
