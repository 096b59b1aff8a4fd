import { useQuery } from '@tanstack/react-query';
import { readInboxCounts } from '#contract/conversations/inbox.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

export const countsKey = ['inbox-counts'] as const;

/** Hints after which a conversation may look different: messages of a visit have a hint of their own. */
export const changesInbox = (type: string): boolean => ['messages', 'message', 'checkin', 'opened'].includes(type);

/** How many conversations wait, the same on every desk. */
export function useInboxCounts() {
  const counts = useQuery({
    queryKey: countsKey,
    queryFn: ({ signal }) => call(readInboxCounts, {}, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(countsKey, ({ type }) => changesInbox(type));
  return counts.data;
}
