import type { ReactNode } from 'react';
import css from './rows.module.css';

/** A list of rows on a card, with lines between them. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={css.rows}>{children}</ul>;
}

interface RowProps {
  /** An icon or avatar before the name. */
  mark?: ReactNode;
  name: ReactNode;
  /** Small lines below the name. */
  children?: ReactNode;
  /** The row's buttons. */
  end?: ReactNode;
}

export function Row({ mark, name, children, end }: RowProps) {
  return (
    <li className={css.row}>
      {mark}
      <div className={css.text}>
        <div className={css.name}>{name}</div>
        {children}
      </div>
      {end}
    </li>
  );
}

/** A small line in or beside a row. */
export function SecondaryText({ children }: { children: ReactNode }) {
  return <p className={css.small}>{children}</p>;
}
