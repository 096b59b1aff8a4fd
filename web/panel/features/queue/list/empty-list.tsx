import { Plural, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { QueueEntry } from '#contract/queue.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { HistoryIcon } from '#web/icons/history.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from '#web/panel/features/queue/page/queue-page.module.css';
import { searchVisits } from './search-visits.ts';
import type { Tab } from '#web/panel/features/queue/page/use-queue-address.ts';

interface NothingToShowProps {
  query: UseQueryResult<QueueEntry[]>;
  tab: Tab;
  search: string;
  /** How many expected patients match the search: they stand above this list. */
  expectedCount: number;
  /** The visits in the other tab. */
  others: readonly QueueEntry[];
  isToday: boolean;
  onClear: () => void;
  onFirstSteps: () => void;
  onOtherTab: () => void;
}

/** Explains an empty list: loading failed, nothing matches the search, nobody has arrived, or everybody is done. */
export function EmptyList({
  query,
  tab,
  search,
  expectedCount,
  others,
  isToday,
  onClear,
  onFirstSteps,
  onOtherTab,
}: NothingToShowProps) {
  const { t } = useLingui();
  const isNew = useSession().office?.firstSteps === true;
  if (!query.data) {
    if (!query.error) return null;
    const retry = (
      <Button icon={RefreshIcon} busy={query.isFetching} onClick={() => void query.refetch()}>
        {t`Try again`}
      </Button>
    );
    return (
      <div role="alert">
        <EmptyState icon={WarningIcon} title={t`The queue could not be loaded`} action={retry}>
          {errorMessage(query.error, t`The server could not be reached.`)}
        </EmptyState>
      </div>
    );
  }
  if (search.trim() !== '') {
    const elsewhere = isToday ? searchVisits(others, search).length : 0;
    const actions = (
      <div className={css.choices}>
        <Button onClick={onClear}>{t`Clear search`}</Button>
        {elsewhere > 0 && (
          <Button onClick={onOtherTab}>
            {tab === 'history' ? (
              <Plural value={elsewhere} other="# in Checkin" />
            ) : (
              <Plural value={elsewhere} other="# in History" />
            )}
          </Button>
        )}
      </div>
    );
    if (expectedCount > 0)
      return (
        <EmptyState icon={SearchIcon} title={t`Found in Expected`} action={actions}>
          {t`Nobody who has arrived matches your search.`}
        </EmptyState>
      );
    return <EmptyState icon={SearchIcon} title={t`No patients found`} action={actions} />;
  }
  if (tab === 'history') {
    return (
      <EmptyState
        icon={HistoryIcon}
        title={isToday ? t`No one is in History yet today` : t`Nobody checked in on this day`}
      />
    );
  }
  const cleared = others.length > 0;
  return (
    <EmptyState
      icon={cleared ? CheckCircleIcon : InboxIcon}
      title={t`You don't have any patients waiting yet.`}
      action={!cleared && isNew && <FirstStepsButton onOpen={onFirstSteps} />}
    >
      {cleared
        ? t`Everyone who came today is in History.`
        : t`They appear here as soon as they say “I'm here” on their phone.`}
    </EmptyState>
  );
}

/** The list of first steps is beside this one where there is room. */
function FirstStepsButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui();
  return (
    <Button variant="filled" className={css.narrow} onClick={onOpen}>
      {t`First steps`}
    </Button>
  );
}

/** Placeholders while the cards load. */
export function ListSkeleton() {
  return (
    <div className={css.bones} aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((i) => (
        <div key={i} className={css.bone}>
          <Skeleton width={36} height={36} round />
          <span className={css.lines}>
            <Skeleton width="60%" height={14} />
            <Skeleton width="40%" height={14} />
          </span>
        </div>
      ))}
    </div>
  );
}
