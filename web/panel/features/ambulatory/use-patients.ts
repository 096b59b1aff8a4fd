import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { searchAmbuPatients } from '#contract/ambulatory/patients.ts';
import { ambuPatientsPerPage, type AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesPatients } from './ambulatory-hints.ts';
import { formKinds, patientStates, shownKinds, showsNobody, type PatientsSearch } from './patients-search.ts';

export const patientsKey = ['ambu-patients'] as const;

/** One page of the patients, those who were only invited included, that the checkboxes and the search let through. */
export function usePatients(address: PatientsSearch, search: string) {
  const { page = 1, sort, ascending } = address;
  const shown = shownKinds(address);
  const body = {
    page,
    ...(search && { search }),
    ...(sort && { sort, order: ascending ? ('asc' as const) : ('desc' as const) }),
    status: patientStates.filter((state) => shown.includes(state)),
    forms: formKinds.filter((kind) => shown.includes(kind)),
  };
  useRefetchOnHints(patientsKey, ({ type }) => changesPatients(type));
  return useQuery({
    queryKey: [...patientsKey, body],
    queryFn: async ({ signal }): Promise<PatientPage> =>
      showsNobody(address) ? nobody : call(searchAmbuPatients, { body }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

interface PatientPage {
  patients: AmbuPatient[];
  total: number;
  page: number;
  pageSize: number;
}

/** The server takes no status, or no kind of forms, for all of them; here nobody is to be shown. */
const nobody: PatientPage = { patients: [], total: 0, page: 1, pageSize: ambuPatientsPerPage };
