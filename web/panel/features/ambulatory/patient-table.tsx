import { useLingui } from '@lingui/react/macro';
import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { PeopleIcon } from '#web/icons/people.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { PatientPhone } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Pager } from '#web/panel/ui/pager.tsx';
import css from './ambulatory.module.css';
import { CallbackBadge } from './callback-badge.tsx';
import { LastSurvey } from './last-survey.tsx';
import { PainHeaders, usePainNames } from './pain-headers.tsx';
import { PatientLink } from './patient-link.tsx';
import { PatientStatus, TextTrouble } from './patient-status.tsx';
import type { PainColumn, PatientsSearch } from './patients-search.ts';
import { TextAgain } from './text-again.tsx';
import type { usePatients } from './use-patients.ts';
import { WithdrawInvite } from './withdraw-invite.tsx';

interface PatientTableProps {
  patients: ReturnType<typeof usePatients>;
  address: PatientsSearch;
  /** Something was searched for or left out. */
  isFiltered: boolean;
  onSort: (column: PainColumn) => void;
  onPage: (page: number) => void;
  onClear: () => void;
  onInvite: () => void;
}

/** One page of the patients, those who were only invited included; a name opens the patient. */
export function PatientTable({ patients, isFiltered, onClear, onInvite, onPage, ...table }: PatientTableProps) {
  const { t } = useLingui();
  const { data } = patients;
  if (patients.isPending)
    return (
      <div className={css.stack}>
        {Array.from({ length: 5 }, (_, i) => (
          <Skeleton key={i} height={52} />
        ))}
      </div>
    );
  if (!data) return <LoadError title={t`The patients could not be loaded`} query={patients} />;
  return (
    <>
      {patients.isRefetchError && (
        <Banner tone="red">{errorMessage(patients.error, t`The server could not be reached.`)}</Banner>
      )}
      {data.total === 0 && isFiltered && (
        <EmptyState
          icon={SearchIcon}
          title={t`No patients found`}
          action={<Button onClick={onClear}>{t`Clear filters`}</Button>}
        />
      )}
      {data.total === 0 && !isFiltered && (
        <EmptyState
          icon={PeopleIcon}
          title={t`No patients yet`}
          action={<Button onClick={onInvite}>{t`+ Invite Patient`}</Button>}
        >
          {t`Patients you invite after a surgery appear here, with their pain scores of each day.`}
        </EmptyState>
      )}
      {data.total > 0 && (
        <>
          <Table {...table} patients={data.patients} />
          {data.total > data.pageSize && <Pager {...data} label={t`Pages of patients`} onPage={onPage} />}
        </>
      )}
    </>
  );
}

interface TableProps extends Pick<PatientTableProps, 'address' | 'onSort'> {
  patients: readonly AmbuPatient[];
}

function Table({ patients, address, onSort }: TableProps) {
  const { t } = useLingui();
  const columns = usePainNames();
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t`Patient`}</th>
          <th scope="col">{t`Status`}</th>
          <th scope="col">{t`Day`}</th>
          <PainHeaders sorted={address} onSort={onSort} />
          <th scope="col">{t`Last survey`}</th>
          <th scope="col">{t`Phone`}</th>
        </tr>
      </thead>
      <tbody>
        {patients.map((patient) => (
          <Row key={patient.user} patient={patient} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ patient, columns }: { patient: AmbuPatient; columns: Record<PainColumn, string> }) {
  const { t } = useLingui();
  const { patientName, status, day, userData, callback } = patient;
  return (
    <tr data-callback={callback?.state === 'open' ? '' : undefined}>
      <td>
        <span className={css.inline}>
          <PatientLink {...userData} name={patientName} />
          {callback && <CallbackBadge callback={callback} />}
        </span>
      </td>
      <td data-label={t`Status`}>
        <span className={css.inline}>
          <PatientStatus patient={patient} />
          {status === 'pending' && (
            <>
              <WithdrawInvite patient={patient} />
              <TextAgain patient={patient} />
            </>
          )}
        </span>
        <TextTrouble patient={patient} />
      </td>
      <td data-label={t`Day`}>{status === 'active' ? day : '–'}</td>
      <td data-label={columns.stationary} className={css.score}>
        {patient.stationaryPainScore ?? '–'}
      </td>
      <td data-label={columns.movement} className={css.score}>
        {patient.movementPainScore ?? '–'}
      </td>
      <td data-label={t`Last survey`}>
        <LastSurvey patient={patient} />
      </td>
      <td data-label={t`Phone`}>
        <PatientPhone phone={userData.phoneNumber} />
      </td>
    </tr>
  );
}
