import type { ReactNode } from 'react';
import css from './rows.module.css';

/** Things one below the other on a card, a line between them. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={css.rows}>{children}</ul>;
}

interface RowProps {
  /** What stands before it: an icon, an avatar. */
  mark?: ReactNode;
  name: ReactNode;
  /** What is known of it, in small lines below its name. */
  children?: ReactNode;
  /** What can be done with it. */
  end?: ReactNode;
}

export function Row({ mark, name, children, end }: RowProps) {
  return (
    <li className={css.row}>
      {mark}
      <div className={css.words}>
        <div className={css.name}>{name}</div>
        {children}
      </div>
      {end}
    </li>
  );
}

/** A small line of a row, or beside one. */
export function Small({ children }: { children: ReactNode }) {
  return <p className={css.small}>{children}</p>;
}
