import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readQueueSettings, saveQueueSettings, type QueueSettings } from '#contract/practice/office.ts';
import { call } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';

/** The same key as in the queue, which uses these settings. */
const key = ['queue-settings'] as const;

/** The office's queue settings; refetched when a colleague changes them. */
export function useQueueSettings() {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void cache.invalidateQueries({ queryKey: key });
  });
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readQueueSettings, {}, { signal }), staleTime: 0 });
}

export function useSaveQueueSettings() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (settings: QueueSettings) => call(saveQueueSettings, { body: settings }),
    onSuccess: (saved) => cache.setQueryData(key, saved),
  });
}
