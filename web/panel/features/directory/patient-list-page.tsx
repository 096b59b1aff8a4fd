import { Trans, useLingui } from '@lingui/react/macro';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { DirectoryPatient } from '#contract/directory.ts';
import { PeopleIcon } from '#web/icons/people.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useKeys } from '#web/kit/keyboard-shortcuts.ts';
import { useTitle } from '#web/kit/title.ts';
import { useSettled } from '#web/kit/use-settled.ts';
import { PatientBirthday, PatientName, PatientPhone } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { SearchInput } from '#web/panel/ui/field.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import css from './directory.module.css';
import { PatientPane } from './patient-pane.tsx';
import { PlainDay } from '#web/kit/plain-day.tsx';
import { useDirectory } from './use-directory.ts';

const route = getRouteApi('/office/dashboard/patient-list');

/** `/dashboard/patient-list`: everybody the office knows, and the chosen patient beside the list. */
export function PatientListPage() {
  const { t } = useLingui();
  useTitle(t`Patient list`);
  const { patient: chosenId } = route.useSearch();
  const navigate = route.useNavigate();
  const [search, setSearch] = useState('');
  const list = useDirectory(useSettled(search.trim()));
  const searchBox = useRef<HTMLInputElement>(null);
  const patients = list.data?.pages.flatMap((page) => page.patients) ?? [];

  const choose = (id: string | undefined) =>
    void navigate({ search: id ? { patient: id } : {}, replace: chosenId !== undefined });
  const step = (by: 1 | -1) => {
    const at = patients.findIndex(({ id }) => id === chosenId);
    const next = patients[at === -1 ? 0 : at + by];
    if (!next) return;
    choose(next.id);
    document.querySelector(`[data-patient="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '/': () => searchBox.current?.focus(),
    escape: () => choose(undefined),
  });

  return (
    <div className={classNames(panes.page, css.page)} data-chosen={chosenId}>
      <h1 className={panes.title}>{t`Patient list`}</h1>
      <section className={panes.pane} aria-label={t`Patients`}>
        <div className={css.tools}>
          <p className={css.heading} aria-hidden="true">
            {t`Patient list`}
          </p>
          <SearchInput
            ref={searchBox}
            label={t`Search by name, phone or birthday`}
            placeholder={t`Name, phone or birthday`}
            keyHint="/"
            value={search}
            autoComplete="off"
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setSearch('')}
          />
        </div>
        <div className={css.panel}>
          <ListContent
            list={list}
            isSearching={search.trim() !== ''}
            chosenId={chosenId}
            onSelect={choose}
            onClear={() => setSearch('')}
          />
        </div>
      </section>
      <div className={classNames(panes.detail, css.detail)}>
        {chosenId ? (
          <PatientPane key={chosenId} id={chosenId} onBack={() => choose(undefined)} />
        ) : (
          <EmptyState icon={PersonIcon} title={t`Select a patient`} />
        )}
      </div>
    </div>
  );
}

interface ListContentProps {
  list: ReturnType<typeof useDirectory>;
  isSearching: boolean;
  chosenId: string | undefined;
  onSelect: (id: string) => void;
  onClear: () => void;
}

function ListContent({ list, isSearching, chosenId, onSelect, onClear }: ListContentProps) {
  const { t } = useLingui();
  if (list.isPending)
    return (
      <div className={css.loading}>
        {Array.from({ length: 6 }, (_, i) => (
          <Skeleton key={i} height={56} />
        ))}
      </div>
    );
  if (list.data === undefined) return <LoadError title={t`The patients could not be loaded`} query={list} />;
  const patients = list.data.pages.flatMap((page) => page.patients);
  return (
    <>
      {list.isRefetchError && (
        <Banner tone="red">{errorMessage(list.error, t`The server could not be reached.`)}</Banner>
      )}
      {patients.length === 0 && isSearching && (
        <EmptyState
          icon={SearchIcon}
          title={t`No patients found`}
          action={<Button onClick={onClear}>{t`Clear search`}</Button>}
        />
      )}
      {patients.length === 0 && !isSearching && (
        <EmptyState icon={PeopleIcon} title={t`No patients yet`}>
          {t`Patients who check in or get a check-in link appear here.`}
        </EmptyState>
      )}
      {patients.length > 0 && (
        <ul className={css.list} aria-label={t`Patients`}>
          {patients.map((patient) => (
            <li key={patient.id}>
              <Row patient={patient} isSelected={patient.id === chosenId} onSelect={onSelect} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className={css.more}>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t`Show more`}
          </Button>
        </div>
      )}
    </>
  );
}

interface RowProps {
  patient: DirectoryPatient;
  isSelected: boolean;
  onSelect: (id: string) => void;
}

function Row({ patient: { id, name, phone, birthDate, lastVisit }, isSelected, onSelect }: RowProps) {
  return (
    <button
      type="button"
      className={css.row}
      aria-current={isSelected ? 'true' : undefined}
      data-patient={id}
      onClick={() => onSelect(id)}
    >
      <span className={css.rowTop}>
        <span className={css.name}>{name === '' ? <PatientPhone phone={phone} /> : <PatientName name={name} />}</span>
        {lastVisit && (
          <span className={css.side}>
            <Trans>
              Last visit <PlainDay day={lastVisit} />
            </Trans>
          </span>
        )}
      </span>
      <span className={css.facts}>
        {birthDate && <PatientBirthday date={birthDate} />}
        {birthDate && name !== '' && <span aria-hidden="true"> · </span>}
        {name !== '' && <PatientPhone phone={phone} />}
      </span>
    </button>
  );
}
