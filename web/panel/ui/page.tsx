import type { ReactNode } from 'react';
import { useTitle } from '#web/kit/title.ts';
import { classNames } from './class-names.ts';
import css from './page.module.css';

interface PageProps {
  /** The heading and the window's title. */
  title: string;
  /** Buttons at the end of the heading's line. */
  actions?: ReactNode;
  /** As wide as the window instead of a column that reads well. */
  wide?: boolean;
  children: ReactNode;
}

/** A page of cards under one heading. */
export function Page({ title, actions, wide, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classNames(css.page, wide && css.wide)}>
      <div className={css.top}>
        <h1>{title}</h1>
        {actions}
      </div>
      {children}
    </div>
  );
}
