import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  readQueueSettings,
  saveQueueSettings,
  type OverduePatients,
  type QueueSettingsChange,
} from '#contract/practice/office.ts';
import { call, CallError } from '#web/kit/call.ts';
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
    mutationFn: (settings: QueueSettingsChange) => call(saveQueueSettings, { body: settings }),
    onSuccess: (saved) => cache.setQueryData(key, saved),
  });
}

/** How many patients a refused save would have texted at once; null if it was not refused for that. */
export function overduePatients(error: Error | null): number | null {
  if (!(error instanceof CallError) || error.code !== 'auto_invite_undecided') return null;
  return (error.body.current as OverduePatients).patients;
}
