import { useLingui } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { formsPageSize } from '#contract/forms/desk.ts';
import { useNow } from '#web/kit/clock.ts';
import { useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CalendarIcon } from '#web/icons/calendar.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { Pager } from '#web/panel/ui/pager.tsx';
import { ListStates, NoFormsToday } from './list-states.tsx';
import css from './todays-forms.module.css';
import { PatientForms } from './patient-forms.tsx';
import { TodaysList } from './todays-list.tsx';
import { useTodaysFormsAddress, useTodaysPatients } from './use-todays-forms.ts';

/** Today's patients, and the forms of each. */
export function TodaysFormsPage() {
  const { t } = useLingui();
  const today = useToday();
  const { page: requestedPage, open, turnTo, show } = useTodaysFormsAddress();
  const list = useTodaysPatients(today);
  const patients = list.data ?? [];
  const page = Math.min(requestedPage, Math.max(1, Math.ceil(patients.length / formsPageSize)));
  const shown = useIsPrinting() ? patients : patients.slice((page - 1) * formsPageSize, page * formsPageSize);
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
      <ListStates list={list}>{() => patients.length === 0 && <NoFormsToday />}</ListStates>
      {shown.length > 0 && <TodaysList patients={shown} onOpen={show} />}
      {patients.length > 0 && <Pager page={page} pageSize={formsPageSize} total={patients.length} onPage={turnTo} />}
      {chosen && <PatientForms key={chosen.id} patient={chosen} onClose={() => show(undefined)} />}
    </Page>
  );
}

/** Today's date in full. It changes at midnight in the office's time zone. */
function useToday(): string {
  const language = useLanguage();
  const zone = useOfficeZone();
  const day = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'full',
    ...(zone && { timeZone: zone }),
  });
  return day.format(useNow());
}

const printMedia = matchMedia('print');
const subscribe = (listener: () => void) => {
  printMedia.addEventListener('change', listener);
  return () => printMedia.removeEventListener('change', listener);
};

/** Printing lists the whole day, not only the page on screen. */
const useIsPrinting = () => useSyncExternalStore(subscribe, () => printMedia.matches);
