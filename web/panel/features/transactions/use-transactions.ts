import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import {
  downloadTransactions,
  readDayReport,
  searchTransactions,
  totalTransactions,
  type TransactionFilter,
} from '#contract/transactions.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

/** Where a page begins; the first one without. */
export type PageStart = { after?: string; before?: string; last?: 'true' };

/** One page of the payments that match. The totals are a call of their own, so that paging does not count again. */
export function useTransactions(filter: TransactionFilter, start: PageStart) {
  useRefetchOnHints(['transactions'], ({ type }) => type === 'payment' || type === 'refetch');
  return useQuery({
    queryKey: ['transactions', 'page', filter, start],
    queryFn: ({ signal }) => call(searchTransactions, { body: { ...filter, ...start } }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

export function useTotals(filter: TransactionFilter) {
  return useQuery({
    queryKey: ['transactions', 'totals', filter],
    queryFn: ({ signal }) => call(totalTransactions, { body: filter }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

export function useDownload(filter: TransactionFilter) {
  return useMutation({ mutationFn: async () => saveFile(await callForFile(downloadTransactions, { body: filter })) });
}

export function useDayReport(day: string) {
  return useQuery({
    queryKey: ['transactions', 'day', day],
    queryFn: ({ signal }) => call(readDayReport, { query: { day } }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}
