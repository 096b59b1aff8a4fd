import { useLingui } from '@lingui/react/macro';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { AuditFilter } from './audit-filter.tsx';
import { AuditList } from './audit-list.tsx';
import { readAuditSearch } from './audit-search.ts';
import css from './audit.module.css';
import { OfficeTime } from './office-time.tsx';
import { useExport } from './use-export.ts';
import { useAudit, type AuditEntry, type Filter } from './use-audit.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

const route = getRouteApi('/office/settings/dashboard/settings/audit');

/** The office's audit log: who saw or changed what, newest first. */
export function AuditPage() {
  const { t } = useLingui();
  const { office } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter: Filter = { action: '', patient: '', person: '', from: '', to: '', ...search };
  const isFiltered = Object.keys(search).length > 0;
  const audit = useAudit(filter);
  const entries = newestFirst(audit.data?.pages.flatMap((page) => page.entries) ?? []);
  const why = errorMessage(audit.error, t`The server could not be reached.`);
  const show = (change: Partial<Filter>) =>
    void navigate({ search: readAuditSearch({ ...search, ...change }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });

  return (
    <div className={css.audit}>
      <p className={css.whose}>{office?.officeName}</p>
      <div className={css.bar}>
        <AuditFilter
          filter={filter}
          patientName={audit.data ? (audit.data.pages[0]?.filteredPatient ?? '') : null}
          onChange={show}
        />
        <AuditButtons audit={audit} filter={filter} hasEntries={entries.length > 0} />
      </div>
      {audit.isRefetchError && <Banner tone="red">{t`Not refreshed: ${why}`}</Banner>}
      {audit.data && <ChainNote until={audit.data.pages[0]?.sealedUntil ?? null} />}
      {audit.isPending && <Waiting />}
      {audit.isError && entries.length === 0 && (
        <LoadError title={t`The activity log could not be loaded`} query={audit} />
      )}
      {audit.data && entries.length === 0 && isFiltered && (
        <EmptyState
          icon={SearchIcon}
          title={t`No entries match`}
          action={<Button onClick={clear}>{t`Clear filters`}</Button>}
        />
      )}
      {audit.data && entries.length === 0 && !isFiltered && (
        <EmptyState icon={InboxIcon} title={t`No activity yet`}>
          {t`Every time a patient’s data is viewed or changed, it will be listed here.`}
        </EmptyState>
      )}
      {entries.length > 0 && <AuditList entries={entries} />}
      {audit.isFetchNextPageError && <Banner tone="red">{t`More could not be loaded: ${why}`}</Banner>}
      {audit.hasNextPage && (
        <div className={css.more}>
          <Button busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {t`Load more`}
          </Button>
        </div>
      )}
      {entries.length > 0 && !audit.hasNextPage && <p className={css.end}>{t`End of log`}</p>}
    </div>
  );
}

interface AuditButtonsProps {
  audit: ReturnType<typeof useAudit>;
  filter: Filter;
  hasEntries: boolean;
}

function AuditButtons({ audit, filter, hasEntries }: AuditButtonsProps) {
  const { t } = useLingui();
  const { loaded, isPending, mutate } = useExport(filter);
  return (
    <div className={css.buttons}>
      <Button
        icon={RefreshIcon}
        busy={audit.isRefetching && !audit.isFetchingNextPage}
        onClick={() => void audit.refetch()}
      >
        {t`Refresh`}
      </Button>
      <Button icon={DownloadIcon} busy={isPending} locked={!hasEntries} onClick={() => mutate()}>
        {isPending && loaded > 0 ? t`${loaded} entries…` : t`Download CSV`}
      </Button>
      <Button icon={PrintIcon} locked={!hasEntries} onClick={() => window.print()}>
        {t`Print`}
      </Button>
    </div>
  );
}

/** Until when entries are protected against tampering. */
function ChainNote({ until }: { until: string | null }) {
  const { t } = useLingui();
  return (
    <p className={css.sealed}>
      {until && (
        <strong>
          {t`Sealed until`} <OfficeTime at={until} withDay />
        </strong>
      )}
      <span>
        {until
          ? t`Tampering with older entries would be detected. New entries are sealed within a minute.`
          : t`Nothing is sealed yet. Entries are sealed within a minute.`}
      </span>
    </p>
  );
}

/** The server returns entries in the order of writing; a slow operation belongs to the time at which it happened. */
const newestFirst = (entries: AuditEntry[]) =>
  entries.toSorted((a, b) => b.at.localeCompare(a.at) || Number(b.id) - Number(a.id));

function Waiting() {
  return (
    <div className={css.waiting}>
      {Array.from({ length: 8 }, (_, i) => (
        <Skeleton key={i} height={44} />
      ))}
    </div>
  );
}
