import { useQuery } from '@tanstack/react-query';
import { readInboxCounts } from '#contract/conversations.ts';
import { call } from '#web/kit/call.ts';
import { hintsArrive } from '#web/kit/live.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { useStore } from '#web/kit/store.ts';

const pollMs = 20_000;

/** How often the inbox and the chats are fetched. Hints keep them up to date, so they are polled only while no hints arrive. */
export const usePollMs = (): number | false => (useStore(hintsArrive) ? false : pollMs);

export const countsKey = ['inbox-counts'] as const;

/** Hints after which a conversation may look different: messages of a visit have a hint of their own. */
export const changesInbox = (type: string): boolean => ['messages', 'message', 'checkin', 'opened'].includes(type);

/** How many conversations wait, the same on every desk. */
export function useInboxCounts() {
  const counts = useQuery({
    queryKey: countsKey,
    queryFn: ({ signal }) => call(readInboxCounts, {}, { signal }),
    refetchInterval: usePollMs(),
  });
  useRefetchOnHints(countsKey, ({ type }) => changesInbox(type));
  return counts.data;
}
