import { useInfiniteQuery } from '@tanstack/react-query';
import { listAudit, type AuditEntry } from '#contract/audit.ts';
import { call } from '#web/kit/call.ts';

/** What of the record is shown; it stands in the address. */
export interface Filter {
  action: string;
  /** First and last day of the office, YYYY-MM-DD; empty is open. */
  from: string;
  to: string;
}

/** The record, newest first, a page at a time. It is read anew when asked, not by itself: each look is an entry too. */
export function useAudit({ action, from, to }: Filter) {
  const query = { ...(action && { action }), ...(from && { from }), ...(to && { to }) };
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

export type { AuditEntry };
