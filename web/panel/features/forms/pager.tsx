import { useLingui } from '@lingui/react/macro';
import { formsPageSize } from '#contract/forms/desk.ts';
import { ChevronLeftIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import css from './list.module.css';

interface PagerProps {
  /** The requested page; `shown` is the one on screen until it has loaded. */
  page: number;
  shown?: number;
  total: number;
  /** The text of the button that goes to the page before. */
  previous: string;
  onPage: (page: number) => void;
}

/** Which rows of how many are shown; when there are several pages, with buttons to their neighbors. */
export function Pager({ page, shown = page, total, previous, onPage }: PagerProps) {
  const { t } = useLingui();
  const first = (shown - 1) * formsPageSize + 1;
  const last = Math.min(total, shown * formsPageSize);
  const several = total > formsPageSize || page > 1;
  return (
    <nav className={css.pager} aria-label={t`Pages`}>
      {several && (
        <Button size="s" icon={ChevronLeftIcon} locked={page === 1} onClick={() => onPage(page - 1)}>
          {previous}
        </Button>
      )}
      <span role="status">
        {first} - {last} {t({ message: 'of', context: 'x - y of total' })} {total}
      </span>
      {several && (
        <Button
          size="s"
          icon={ChevronRightIcon}
          locked={page * formsPageSize >= total}
          onClick={() => onPage(page + 1)}
        >
          {t`Next`}
        </Button>
      )}
    </nav>
  );
}
