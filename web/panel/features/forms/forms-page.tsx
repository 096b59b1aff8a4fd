import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { formsPageSize, type ListedForm } from '#contract/forms/desk.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { PrintedLine } from '#web/panel/ui/printed-line.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { Pager } from '#web/panel/ui/pager.tsx';
import { DownloadAnswers } from './download-answers.tsx';
import { DownloadZip } from './download-zip.tsx';
import { FormViewer } from './form-viewer.tsx';
import { FilterBadges, FormsFilter } from './forms-filter.tsx';
import { FormsList } from './forms-list.tsx';
import css from './forms-page.module.css';
import { ListStates, NoForms } from './list-states.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TypeChips } from './type-chips.tsx';
import { keysOfAll } from './use-download-zips.ts';
import { noFilter, useForms, useFormsAddress, useFormTypes, type Filter } from './use-forms.ts';
import { useSelection } from './use-selection.ts';
import { useShownName } from './use-shown-name.ts';

/** The type, or the visit, to which the list is limited. */
function usePageTitle({ formType, visitId }: Filter, typeName: string): string {
  const { t } = useLingui();
  if (formType) return typeName;
  return visitId ? t`Forms of this visit` : t`All forms`;
}

/** All forms that patients filed, newest first, by day and patient. One opens beside the list. */
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
  const title = usePageTitle(filter, typeName);
  useFocusBetween(open);
  const top = (
    <div className={css.topButtons}>
      <Button icon={RefreshIcon} busy={list.isRefetching} onClick={() => void list.refetch()}>
        {t`Refresh`}
      </Button>
      {!open && (
        <Button icon={PrintIcon} locked={forms.length === 0} onClick={() => window.print()}>
          {t`Print list`}
        </Button>
      )}
    </div>
  );
  return (
    <Page title={title} before={<BackLink visitId={filter.visitId} />} actions={top} wide>
      <PrintedLine />
      {!filter.visitId && (
        <div className={css.types} data-beside={open !== undefined || undefined}>
          <TypeChips filter={filter} onFilter={search} />
        </div>
      )}
      <div className={css.page} data-beside={open !== undefined || undefined}>
        <div className={css.listSide}>
          <FormsFilter key={filterKey} filter={filter} onFilter={search} />
          <FilterBadges filter={filter} onFilter={search} typeName={typeName} visitName={visitName} />
          <div className={css.listTop}>
            <h2>
              {t`Forms List`} {list.data && <Counter>{total}</Counter>}
            </h2>
            {total > 0 && filter.formType !== '' && <DownloadAnswers key={`answers ${filterKey}`} filter={filter} />}
            {total > 1 && (
              <DownloadZip key={filterKey} keysOf={(signal) => keysOfAll(filter, total, signal)}>
                {t`Download All`}
              </DownloadZip>
            )}
          </div>
          <ListStates list={list}>
            {() => total === 0 && <NoForms onClear={isFiltered ? () => search(noFilter) : undefined} />}
          </ListStates>
          {forms.length > 0 && (
            <>
              <SelectionBar key={filterKey} forms={forms} selection={selection} />
              <FormsList forms={forms} selection={selection} open={open} onOpen={(key) => go({ page, open: key })} />
            </>
          )}
          {list.data && (total > formsPageSize || (page > 1 && total > 0)) && (
            <Pager
              page={page}
              shown={list.data.page}
              pageSize={formsPageSize}
              total={total}
              previous={t`Previous`}
              onPage={(to) => go({ page: to })}
            />
          )}
        </div>
        {!open && forms.length > 0 && (
          <div className={css.nothingOpen}>
            <EmptyState icon={FormIcon} title={t`Choose View to read a form here.`} />
          </div>
        )}
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

/** To the patient whose forms are on the list, or to all types. */
function BackLink({ visitId }: { visitId: string }) {
  const { t } = useLingui();
  return visitId ? (
    <Link to="/dashboard" search={{ visit: visitId }} className={css.back}>
      <ArrowLeftIcon />
      <span>{t`Back to the patient`}</span>
    </Link>
  ) : (
    <Link to="/dashboard/form-types" className={css.back}>
      <ArrowLeftIcon />
      <span>{t`Back to form types`}</span>
    </Link>
  );
}

/** The title of the open form; plain "Form" when it is not on this page of the list. */
function useFormTitle(): (form: ListedForm | undefined) => string {
  const { t } = useLingui();
  const shownName = useShownName();
  return (form) => {
    if (!form) return t`Form`;
    const { patientName, formName } = form;
    return `${shownName(patientName)}, ${formName}`;
  };
}

/** Opening a form moves the focus to its title; closing it moves the focus back to the row's button. */
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
