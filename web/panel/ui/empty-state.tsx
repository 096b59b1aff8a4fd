import type { ReactNode } from 'react';
import css from './empty-state.module.css';
import type { Icon } from '#web/icons/shape.tsx';

/**
 * Nothing to show, and why: first use, all done, no results (pass an action that clears the filters), failed
 * (see LoadError). The caller passes the texts.
 */
export function EmptyState({
  icon: EmptyIcon,
  title,
  action,
  children,
}: {
  icon: Icon;
  title: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={css.empty}>
      <span className={css.icon}>
        <EmptyIcon size={28} />
      </span>
      <p className={css.title}>{title}</p>
      {children !== undefined && <div className={css.more}>{children}</div>}
      {action}
    </div>
  );
}
