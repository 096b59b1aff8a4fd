import { useLingui } from '@lingui/react/macro';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { useKeys } from '#web/kit/keyboard-shortcuts.ts';
import { useTitleCount } from '#web/kit/title.ts';
import { useSettled } from '#web/kit/use-settled.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import css from './ambulatory.module.css';
import { CallbackList } from './callback-list.tsx';
import { CloseCallback } from './close-callback.tsx';
import { InvitePatient } from './invite-patient.tsx';
import { rememberedList, rememberList } from './list-memory.ts';
import { PatientTable } from './patient-table.tsx';
import { PatientsFilter } from './patients-filter.tsx';
import { withSort, type PainSort, type PatientsSearch } from './patients-search.ts';
import { useCallbackCount, useCallbacks } from './use-callbacks.ts';
import { usePatients } from './use-patients.ts';

const route = getRouteApi('/office/ambulatory/dashboard/patients');

/** `/dashboard/patients`: whom a nurse has to call, and all patients after surgery. */
export function PatientsPage() {
  const { t } = useLingui();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const [search, setSearch] = useState('');
  const [callbackPage, setCallbackPage] = useState(() => rememberedList().callbackPage);
  const [callbackSort, setCallbackSort] = useState<PainSort>(() => rememberedList().callbackSort);
  const [isInviting, setInviting] = useState(false);
  const [closing, setClosing] = useState<NurseCallback | null>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const patients = usePatients(address, useSettled(search.trim()));
  const callbacks = useCallbacks(callbackPage, callbackSort);
  const show = (next: PatientsSearch) => void navigate({ search: next, replace: true });
  const { page: _, ...firstPage } = address;
  useEffect(() => rememberList({ address, callbackPage, callbackSort }), [address, callbackPage, callbackSort]);
  useTitleCount(useCallbackCount()?.open ?? 0);
  useKeys({ '/': () => searchBox.current?.focus(), n: () => setInviting(true) });
  return (
    <Page
      wide
      title={t`Patient List`}
      actions={
        <Button variant="filled" keyHint="N" aria-haspopup="dialog" onClick={() => setInviting(true)}>
          {/* The specification's text, with its plus. */}
          {t`+ Invite Patient`}
        </Button>
      }
    >
      <CallbackList
        callbacks={callbacks}
        sorted={callbackSort}
        onSort={(column) => {
          setCallbackSort(withSort(callbackSort, column));
          setCallbackPage(1);
        }}
        onPage={setCallbackPage}
        onClose={setClosing}
      />
      <section className={css.section} aria-labelledby="all-patients">
        <h2 id="all-patients">{t`All patients`}</h2>
        <PatientsFilter
          address={address}
          search={search}
          searchBox={searchBox}
          onShow={show}
          onSearch={(text) => {
            setSearch(text);
            if (address.page !== undefined) show(firstPage);
          }}
        />
        <PatientTable
          patients={patients}
          address={address}
          isFiltered={search.trim() !== '' || address.show !== undefined}
          onSort={(column) => show(withSort(address, column))}
          onPage={(page) => show(page > 1 ? { ...firstPage, page } : firstPage)}
          onClear={() => {
            setSearch('');
            show({});
          }}
          onInvite={() => setInviting(true)}
        />
      </section>
      {isInviting && <InvitePatient onClose={() => setInviting(false)} />}
      {closing && <CloseCallback callback={closing} onClose={() => setClosing(null)} />}
    </Page>
  );
}
