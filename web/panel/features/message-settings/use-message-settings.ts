import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  readMessageSettings,
  saveMessageSettings,
  type MessageSettingsWithText,
} from '#contract/practice/message-settings.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

const key = ['message-settings'] as const;

/** The office's message settings; refetched when a colleague changes them. */
export function useMessageSettings() {
  useRefetchOnHints(key, ({ type }) => type === 'settings');
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readMessageSettings, {}, { signal }) });
}

export function useSaveMessageSettings() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (settings: MessageSettingsWithText) => call(saveMessageSettings, { body: settings }),
    onSuccess: (saved) => cache.setQueryData(key, saved),
  });
}
