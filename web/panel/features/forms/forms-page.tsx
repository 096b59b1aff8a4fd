import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { FormItem } from '#contract/forms/desk.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import { DownloadZip } from './download-zip.tsx';
import { FormViewer } from './form-viewer.tsx';
import { FilterBadges, FormsFilter } from './forms-filter.tsx';
import { FormsList, Pager } from './forms-list.tsx';
import css from './forms.module.css';
import { formMoment } from './office-clock.ts';
import { SelectionBar } from './selection-bar.tsx';
import { keysOfAll } from './use-download.ts';
import { useForms, useFormsAddress, useFormTypes, type Filter } from './use-forms.ts';
import { useSelection } from './use-selection.ts';

/** `/dashboard/forms`: the forms patients filed, newest first; one opens beside the list. */
export function FormsPage() {
  const { t } = useLingui();
  const { filter, visitName, page, open, filterBy, go } = useFormsAddress();
  const filterKey = JSON.stringify(filter);
  const selection = useSelection(filterKey);
  const search = (change: Partial<Filter>) => {
    selection.clear();
    filterBy(change);
  };
  const list = useForms(filter, page);
  const types = useFormTypes();
  const typeName = types.data?.find(({ formType }) => formType === filter.formType)?.name ?? filter.formType;
  const forms = list.data?.forms ?? [];
  const total = list.data?.total ?? 0;
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const titleOf = useFormTitle();
  useFocusBetween(open);
  const top = (
    <div className={css.topButtons}>
      <Button icon={RefreshIcon} busy={list.isRefetching} onClick={() => void list.refetch()}>
        {t`Refresh`}
      </Button>
      <Button icon={PrintIcon} locked={forms.length === 0} onClick={() => window.print()}>
        {t`Print list`}
      </Button>
      {filter.visitId ? (
        <Link to="/dashboard" search={{ visit: filter.visitId }} className={buttonClass({ variant: 'subtle' })}>
          <ArrowLeftIcon />
          <span>{t`Back to the patient`}</span>
        </Link>
      ) : (
        <Link to="/dashboard/form-types" className={buttonClass({ variant: 'subtle' })}>
          <ArrowLeftIcon />
          <span>{t`Back`}</span>
        </Link>
      )}
    </div>
  );
  return (
    <Page title={filter.formType ? typeName : t`All forms`} actions={top} wide>
      <div className={classNames(css.room, open && css.beside)}>
        <div className={css.listSide}>
          <FormsFilter key={filterKey} filter={filter} onFilter={search} />
          <FilterBadges filter={filter} onFilter={search} typeName={typeName} visitName={visitName} />
          <div className={css.listTop}>
            <h2>
              {t`Forms List`} {list.data && <Counter>{total}</Counter>}
            </h2>
            {total > 1 && (
              <DownloadZip key={filterKey} keysOf={(signal) => keysOfAll(filter, total, signal)}>
                {t`Download All`}
              </DownloadZip>
            )}
          </div>
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
          {list.data && total === 0 && <NoForms isFiltered={isFiltered} onClear={() => search(noFilter)} />}
          {forms.length > 0 && (
            <>
              <SelectionBar key={filterKey} forms={forms} selection={selection} />
              <FormsList forms={forms} selection={selection} open={open} onOpen={(key) => go({ page, open: key })} />
            </>
          )}
          {list.data && total > 0 && (
            <Pager page={page} shown={list.data.page} total={total} onPage={(to) => go({ page: to })} />
          )}
        </div>
        {open && (
          <FormViewer
            key={open}
            formKey={open}
            title={titleOf(forms.find(({ objectKey }) => objectKey === open))}
            onClose={() => go({ open: undefined })}
          />
        )}
      </div>
    </Page>
  );
}

const noFilter: Filter = { formType: '', startDate: '', endDate: '', patientName: '', visitId: '' };

/** Nothing filed yet, or nothing that the filter finds. */
function NoForms({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useLingui();
  if (isFiltered)
    return (
      <EmptyState
        icon={InboxIcon}
        title={t`No Forms Available`}
        action={<Button onClick={onClear}>{t`Clear filters`}</Button>}
      />
    );
  return (
    <EmptyState
      icon={InboxIcon}
      // The specification's own spelling of "check-in".
      title={t`No Forms Available. Form submissions will appear here as soon as patients check-in.`}
    />
  );
}

/** What the open form is called; one of another page is just a form. */
function useFormTitle(): (form: FormItem | undefined) => string {
  const { t } = useLingui();
  const zone = useOfficeZone();
  const privacy = useSession().person?.preferences.privacy === true;
  return (form) => {
    if (!form) return t`Form`;
    const { patientName, formName, completedAt } = form;
    return `${privacy ? initialsOf(patientName) : patientName}, ${formName}, ${formMoment(completedAt, zone)}`;
  };
}

/** An opened form has the focus at its title; closed, the focus is where it came from. */
function useFocusBetween(open: string | undefined): void {
  const before = useRef(open);
  useEffect(() => {
    const was = before.current;
    before.current = open;
    if (was === open) return;
    const target = open ? '[data-form-title]' : `[data-form="${CSS.escape(was ?? '')}"]`;
    document.querySelector<HTMLElement>(target)?.focus();
  }, [open]);
}

function Waiting() {
  return (
    <div className={css.waiting}>
      {Array.from({ length: 6 }, (_, i) => (
        <Skeleton key={i} height={62} />
      ))}
    </div>
  );
}
