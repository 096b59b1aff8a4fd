import { useLingui } from '@lingui/react/macro';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import css from './ambulatory.module.css';
import { painColumns, type PainColumn, type PainSort } from './patients-search.ts';

/** The names of the pain columns. */
export function usePainNames(): Record<PainColumn, string> {
  const { t } = useLingui();
  return { stationary: t`Pain at rest`, movement: t`Pain when moving` };
}

interface PainHeadersProps {
  sorted: PainSort;
  onSort: (column: PainColumn) => void;
}

/** The heads of the pain columns: a press sorts by the column. */
export function PainHeaders({ sorted, onSort }: PainHeadersProps) {
  const names = usePainNames();
  return painColumns.map((column) => (
    <th key={column} scope="col" aria-sort={sortedBy(sorted, column)}>
      <button type="button" className={css.sort} onClick={() => onSort(column)}>
        {names[column]}
        <ChevronDownIcon size={14} />
      </button>
      <span className={css.unsorted}>{names[column]}</span>
    </th>
  ));
}

function sortedBy({ sort, ascending }: PainSort, column: PainColumn): 'ascending' | 'descending' | 'none' {
  if (sort !== column) return 'none';
  return ascending ? 'ascending' : 'descending';
}
