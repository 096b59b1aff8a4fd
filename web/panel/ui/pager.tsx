import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ChevronLeftIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { Button } from './button.tsx';
import css from './pager.module.css';

interface PagerProps {
  /** Which pages these are; without it, just "Pages". */
  label?: string;
  page: number;
  /** The page on screen until `page` has loaded. */
  shown?: number;
  pageSize: number;
  total: number;
  /** The text of the button to the page before, if it is not "Back". */
  previous?: string;
  onPage: (page: number) => void;
}

/** Which rows of how many are shown; when there are several pages, with buttons to their neighbors. */
export function Pager({ label, page, shown = page, pageSize, total, previous, onPage }: PagerProps) {
  const { t } = useLingui();
  const first = (shown - 1) * pageSize + 1;
  const last = Math.min(total, shown * pageSize);
  const rows = (
    <span role="status">
      {first} - {last} {t({ message: 'of', context: 'x - y of total' })} {total}
    </span>
  );
  if (total <= pageSize && page === 1) return <PagerFrame label={label}>{rows}</PagerFrame>;
  return (
    <PagerFrame label={label}>
      <PageButton to="back" text={previous} onClick={page === 1 ? null : () => onPage(page - 1)} />
      {rows}
      <PageButton to="next" onClick={page * pageSize >= total ? null : () => onPage(page + 1)} />
    </PagerFrame>
  );
}

interface CursorPagerProps {
  /** The cursor of the page before; null on the first page. */
  previous: string | null;
  /** The cursor of the page after; null on the last page. */
  next: string | null;
  onStart: (start: { after?: string; before?: string; last?: 'true' }) => void;
}

/** Buttons of a list whose pages have cursors instead of numbers. Nothing if there is one page. */
export function CursorPager({ previous, next, onStart }: CursorPagerProps) {
  const { t } = useLingui();
  if (previous === null && next === null) return null;
  return (
    <PagerFrame>
      <Button size="s" locked={previous === null} onClick={() => onStart({})}>
        {t`First`}
      </Button>
      <PageButton to="back" onClick={previous === null ? null : () => onStart({ before: previous })} />
      <PageButton to="next" onClick={next === null ? null : () => onStart({ after: next })} />
      <Button size="s" locked={next === null} onClick={() => onStart({ last: 'true' })}>
        {t`Last`}
      </Button>
    </PagerFrame>
  );
}

function PagerFrame({ label, children }: { label?: string | undefined; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <nav className={css.pager} aria-label={label ?? t`Pages`}>
      {children}
    </nav>
  );
}

interface PageButtonProps {
  to: 'back' | 'next';
  text?: string | undefined;
  /** Null if there is no such page. */
  onClick: (() => void) | null;
}

function PageButton({ to, text, onClick }: PageButtonProps) {
  const { t } = useLingui();
  const usual = to === 'back' ? t({ message: 'Back', context: 'to the page before' }) : t`Next`;
  return (
    <Button
      size="s"
      icon={to === 'back' ? ChevronLeftIcon : ChevronRightIcon}
      locked={onClick === null}
      onClick={() => onClick?.()}
    >
      {text ?? usual}
    </Button>
  );
}
