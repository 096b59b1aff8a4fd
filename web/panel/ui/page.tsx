import type { ReactNode } from 'react';
import { useTitle } from '#web/kit/title.ts';
import { classNames } from './class-names.ts';
import css from './page.module.css';

interface PageProps {
  /** The heading and the window's title. */
  title: string;
  /** The way back, before the heading. */
  before?: ReactNode;
  /** Buttons at the end of the heading's line. */
  actions?: ReactNode;
  /** As wide as the window instead of a column that reads well. */
  wide?: boolean;
  children: ReactNode;
}

/** A page of cards under one heading. */
export function Page({ title, before, actions, wide, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classNames(css.page, wide && css.wide)}>
      <div className={css.top}>
        <div className={css.title}>
          {before}
          <h1>{title}</h1>
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}
