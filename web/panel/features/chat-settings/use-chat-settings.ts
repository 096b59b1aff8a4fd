import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readChatSettings, saveChatSettings, type ChatSettings } from '#contract/practice/chat-settings.ts';
import { call } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';

const key = ['chat-settings'] as const;

/** The settings of the website chat; refetched when a colleague changes them. */
export function useChatSettings() {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void cache.invalidateQueries({ queryKey: key });
  });
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readChatSettings, {}, { signal }) });
}

export function useSaveChatSettings() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (settings: ChatSettings) => call(saveChatSettings, { body: settings }),
    onSuccess: (saved) => cache.setQueryData(key, saved),
  });
}
