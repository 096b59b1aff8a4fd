import type { ReactNode } from 'react';
import css from './list.module.css';

interface ListRowProps {
  /** What stands before the name: a checkbox or initials. */
  lead: ReactNode;
  name: ReactNode;
  facts: ReactNode;
  buttons: ReactNode;
  error?: ReactNode;
  /** The form of this row is open beside the list. */
  isOpen?: boolean;
  /** The facts are beside the name, where there is room. */
  oneLine?: boolean;
}

/** One row of a list of forms. */
export function ListRow({ lead, name, facts, buttons, error, isOpen = false, oneLine = false }: ListRowProps) {
  return (
    <li className={css.row} data-open={isOpen || undefined} data-one-line={oneLine || undefined}>
      {lead}
      <div className={css.about}>
        <p className={css.name}>{name}</p>
        <p className={css.facts}>{facts}</p>
        {error}
      </div>
      <div className={css.buttons}>{buttons}</div>
    </li>
  );
}
