import { useLingui } from '@lingui/react/macro';
import { ChevronLeftIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import css from './ambulatory.module.css';

interface PagerProps {
  /** Which pages these are. */
  label: string;
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which rows of how many are shown, with buttons to the pages beside them; nothing if there is one page. */
export function Pager({ label, page, pageSize, total, onPage }: PagerProps) {
  const { t } = useLingui();
  if (total <= pageSize) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  return (
    <nav className={css.pager} aria-label={label}>
      <Button size="s" icon={ChevronLeftIcon} locked={page === 1} onClick={() => onPage(page - 1)}>
        {t({ message: 'Back', context: 'to the page before' })}
      </Button>
      <span role="status">
        {first} - {last} {t({ message: 'of', context: 'x - y of total' })} {total}
      </span>
      <Button size="s" icon={ChevronRightIcon} locked={last >= total} onClick={() => onPage(page + 1)}>
        {t`Next`}
      </Button>
    </nav>
  );
}
