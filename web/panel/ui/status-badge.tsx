import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import type { Icon } from '#web/icons/shape.tsx';
import css from './status-badge.module.css';

/** The tints that carry meaning, always beside an icon and a word. */
export type Tone = 'gray' | 'amber' | 'blue' | 'green' | 'red' | 'violet';

/** Icon, word and tint: a state that no one has to tell by colour. */
export function StatusBadge({ tone, icon: BadgeIcon, children }: { tone: Tone; icon: Icon; children: ReactNode }) {
  return (
    <span className={classNames(css.badge, css[tone])}>
      <BadgeIcon size={12} />
      <span className={css.words}>{children}</span>
    </span>
  );
}

/** A framed fact, quieter than a badge. */
export function Chip({ icon: ChipIcon, children }: { icon?: Icon; children: ReactNode }) {
  return (
    <span className={css.chip}>
      {ChipIcon && <ChipIcon size={14} />}
      <span className={css.words}>{children}</span>
    </span>
  );
}

/** A number in a tab or menu entry. */
export function Counter({ strong = false, children }: { strong?: boolean; children: ReactNode }) {
  return <span className={classNames(css.counter, strong && css.strong)}>{children}</span>;
}
