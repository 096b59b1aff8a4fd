import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import type { Icon } from '#web/icons/shape.tsx';
import css from './status-badge.module.css';

/** The colors that carry meaning, always together with an icon and a text. */
export type Tone = 'gray' | 'amber' | 'blue' | 'green' | 'red' | 'violet';

/** A state as icon, text and color, so that nobody has to tell it by the color. */
export function StatusBadge({ tone, icon: BadgeIcon, children }: { tone: Tone; icon: Icon; children: ReactNode }) {
  return (
    <span className={classNames(css.badge, css[tone])}>
      <BadgeIcon size={12} />
      <span className={css.text}>{children}</span>
    </span>
  );
}

/** A framed label, less prominent than a badge. */
export function Chip({ icon: ChipIcon, children }: { icon?: Icon; children: ReactNode }) {
  return (
    <span className={css.chip}>
      {ChipIcon && <ChipIcon size={14} />}
      <span className={css.text}>{children}</span>
    </span>
  );
}

/** A number in a tab or menu entry. */
export function Counter({ strong = false, children }: { strong?: boolean; children: ReactNode }) {
  return <span className={classNames(css.counter, strong && css.strong)}>{children}</span>;
}
