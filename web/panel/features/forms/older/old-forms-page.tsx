import { useLingui } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { useNow } from '#web/kit/clock.ts';
import { useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CalendarIcon } from '#web/icons/calendar.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import css from './old-forms.module.css';
import { PatientForms } from './patient-forms.tsx';
import { Pager, pageSize, TodaysList } from './todays-list.tsx';
import { useOldFormsAddress, useTodaysPatients } from './use-old-forms.ts';

/** `/dashboard/forms` of an office that uses the older forms screen: today's patients, and the forms of each. */
export function OldFormsPage() {
  const { t } = useLingui();
  const today = useToday();
  const { page: asked, open, turnTo, show } = useOldFormsAddress();
  const list = useTodaysPatients(today);
  const patients = list.data ?? [];
  const page = Math.min(asked, Math.max(1, Math.ceil(patients.length / pageSize)));
  const shown = useIsPrinting() ? patients : patients.slice((page - 1) * pageSize, page * pageSize);
  const chosen = patients.find(({ id }) => id === open);
  const foreignZone = useForeignZone();
  return (
    <Page title={t`View Forms`}>
      <div className={css.dateHeader}>
        <p className={css.date}>
          <CalendarIcon />
          <span>
            {today} {foreignZone && <span className={css.zone}>({foreignZone})</span>}
          </span>
        </p>
        <div className={css.dateButtons}>
          <Button icon={RefreshIcon} busy={list.isRefetching} onClick={() => void list.refetch()}>
            {t`Refresh`}
          </Button>
          <Button icon={PrintIcon} locked={patients.length === 0} onClick={() => window.print()}>
            {t`Print list`}
          </Button>
        </div>
      </div>
      <h2 className={css.listTitle}>
        {t`Forms List`} {patients.length > 0 && <Counter>{patients.length}</Counter>}
      </h2>
      {list.isRefetchError && (
        <Banner tone="red">
          <Trouble error={list.error} />
        </Banner>
      )}
      {list.isPending && <Waiting />}
      {list.isError && !list.data && (
        <EmptyState
          icon={WarningIcon}
          title={t`The forms could not be loaded`}
          action={
            <Button busy={list.isFetching} onClick={() => void list.refetch()}>
              {t`Try again`}
            </Button>
          }
        >
          <Trouble error={list.error} />
        </EmptyState>
      )}
      {list.data?.length === 0 && (
        <EmptyState
          icon={InboxIcon}
          // The specification's own spelling of "check-in".
          title={t`No Forms Available. Form submissions will appear here as soon as patients check-in.`}
        />
      )}
      {shown.length > 0 && <TodaysList patients={shown} onOpen={show} />}
      {patients.length > 0 && <Pager page={page} total={patients.length} onPage={turnTo} />}
      {chosen && <PatientForms key={chosen.id} patient={chosen} onClose={() => show(undefined)} />}
    </Page>
  );
}

/** The office's day in full; it moves on at the office's midnight. */
function useToday(): string {
  const language = useLanguage();
  const zone = useOfficeZone();
  const day = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'full',
    ...(zone && { timeZone: zone }),
  });
  return day.format(useNow());
}

const paper = matchMedia('print');
const watchPaper = (watcher: () => void) => {
  paper.addEventListener('change', watcher);
  return () => paper.removeEventListener('change', watcher);
};

/** On paper the whole day stands, not the page that is on screen. */
const useIsPrinting = () => useSyncExternalStore(watchPaper, () => paper.matches);

function Waiting() {
  return (
    <div className={css.waiting}>
      {Array.from({ length: 6 }, (_, i) => (
        <Skeleton key={i} height={60} />
      ))}
    </div>
  );
}
