import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { searchAmbuPatients } from '#contract/ambulatory/patients.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesPatients } from './ambulatory-hints.ts';
import { shownKinds, type PatientsSearch } from './patients-search.ts';

export const patientsKey = ['ambu-patients'] as const;

const states = ['active', 'pending', 'ended'] as const;
const completeness = ['complete', 'incomplete'] as const;

/** One page of the patients, those who were only invited included, that the checkboxes and the search let through. */
export function usePatients(address: PatientsSearch, search: string) {
  const { page = 1, sort, ascending } = address;
  const shown = shownKinds(address);
  const body = {
    page,
    ...(search && { search }),
    ...(sort && { sort, order: ascending ? ('asc' as const) : ('desc' as const) }),
    status: states.filter((state) => shown.includes(state)),
    forms: completeness.filter((kind) => shown.includes(kind)),
  };
  useRefetchOnHints(patientsKey, ({ type }) => changesPatients(type));
  return useQuery({
    queryKey: [...patientsKey, body],
    queryFn: ({ signal }) => call(searchAmbuPatients, { body }, { signal }),
    placeholderData: keepPreviousData,
  });
}
