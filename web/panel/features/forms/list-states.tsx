import { useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './list.module.css';

interface ListStatesProps<Data> {
  list: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** A list while it loads, when it could not be loaded or refreshed, and its rows. */
export function ListStates<Data>({ list, children }: ListStatesProps<Data>) {
  return (
    <>
      {list.isRefetchError && (
        <Banner tone="red">
          <ErrorText error={list.error} />
        </Banner>
      )}
      {list.isPending && <LoadingRows />}
      {list.isError && list.data === undefined && <FormsLoadError query={list} />}
      {list.data !== undefined && children(list.data)}
    </>
  );
}

/** Forms that could not be loaded. */
export function FormsLoadError({ query }: { query: UseQueryResult<unknown> }) {
  const { t } = useLingui();
  return (
    <LoadError title={t`The forms could not be loaded`} query={query}>
      <ErrorText error={query.error} />
    </LoadError>
  );
}

/** An empty list: nothing filed yet, or nothing that matches the filter, which `onClear` then ends. */
export function NoForms({ onClear }: { onClear?: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <EmptyState
      icon={InboxIcon}
      title={t`No Forms Available`}
      {...(onClear && { action: <Button onClick={onClear}>{t`Clear filters`}</Button> })}
    />
  );
}

/** The empty list of today's patients. */
export function NoFormsToday() {
  const { t } = useLingui();
  return (
    <EmptyState
      icon={InboxIcon}
      // The specification's own spelling of "check-in".
      title={t`No Forms Available. Form submissions will appear here as soon as patients check-in.`}
    />
  );
}

function LoadingRows() {
  return (
    <div className={css.loading}>
      {Array.from({ length: 6 }, (_, i) => (
        <Skeleton key={i} height={62} />
      ))}
    </div>
  );
}
