import { useInfiniteQuery } from '@tanstack/react-query';
import { listAudit, type AuditEntry } from '#contract/audit.ts';
import { call } from '#web/kit/call.ts';

/** The filter of the audit log; it is in the address. */
export interface Filter {
  action: string;
  /** First and last day in the office's time zone, YYYY-MM-DD; empty means no limit. */
  from: string;
  to: string;
}

/** The audit log, newest first, page by page. It is never refetched automatically: each reading is an entry too. */
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
