import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import css from './steps.module.css';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';

export interface Step {
  title: ReactNode;
  /** A line below the step, if there is space. */
  says?: ReactNode;
}

interface StepsProps {
  /** What the steps lead to, for screen readers. */
  label: string;
  steps: readonly Step[];
  /** The current step, from 0; null before the first. The steps before it are done. At a half, between two steps, none is current. */
  at: number | null;
  /** Side by side instead of one below the other. */
  inRow?: boolean;
}

/** A list of steps: done, current and still to come. Drawn in the text color of its container. */
export function Steps({ label, steps, at, inRow }: StepsProps) {
  const { t } = useLingui();
  return (
    <ol className={classNames(css.steps, inRow && css.row)} aria-label={label}>
      {steps.map(({ title, says }, i) => {
        const isDone = at !== null && i < at;
        const isNow = i === at;
        return (
          <li
            key={i}
            className={classNames(css.step, isDone && css.done, isNow && css.now)}
            aria-current={isNow ? 'step' : undefined}
          >
            <span className={css.mark} aria-hidden>
              {isDone ? <CheckIcon size={16} /> : i + 1}
            </span>
            <span className={css.text}>
              <span className={css.title}>{title}</span>
              {isDone && <VisuallyHidden>{t`, done`}</VisuallyHidden>}
              {says !== undefined && <span className={css.says}>{says}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
