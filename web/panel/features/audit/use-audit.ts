import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listAudit, listAuditPeople, type AuditEntry, type AuditFilter } from '#contract/audit.ts';
import { searchPatients } from '#contract/directory.ts';
import { call } from '#web/kit/call.ts';

/** The filter of the audit log; it is in the address. Empty means no limit. */
export interface Filter {
  action: string;
  /** The ids of a patient and of a member of the staff. */
  patient: string;
  person: string;
  /** First and last day in the office's time zone, YYYY-MM-DD. */
  from: string;
  to: string;
}

/** The filter as the calls take it. */
export const toAuditFilter = (filter: Filter): AuditFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));

/** The audit log, newest first, page by page. It is never refetched automatically: each reading is an entry too. */
export function useAudit(filter: Filter) {
  const query = toAuditFilter(filter);
  return useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam, signal }) =>
      call(listAudit, { query: { ...query, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 'static',
    gcTime: 0,
  });
}

/** Whose actions the log can be filtered by. */
export function useAuditPeople() {
  return useQuery({ queryKey: ['audit-people'], queryFn: ({ signal }) => call(listAuditPeople, {}, { signal }) });
}

/** Patients whose name, number or birthday begins like this; none before something is typed. */
export function usePatientSearch(search: string) {
  return useQuery({
    queryKey: ['audit-patients', search],
    queryFn: ({ signal }) => call(searchPatients, { body: { search } }, { signal }),
    enabled: search !== '',
  });
}

export type { AuditEntry };
