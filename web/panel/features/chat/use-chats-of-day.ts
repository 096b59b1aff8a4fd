import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listChatConversations } from '#contract/chat-conversations.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesInbox, pollMs } from '#web/panel/features/inbox/index.ts';

/** The website's and the app's conversations whose newest message is of this day. Hints refetch them; polling covers a lost connection. */
export function useChatsOfDay(day: string) {
  const chats = useQuery({
    queryKey: ['chats', day],
    queryFn: ({ signal }) => call(listChatConversations, { query: { from: day, to: day, chats: 'only' } }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
  useRefetchOnHints(['chats', day], ({ type }) => changesInbox(type));
  return chats;
}
