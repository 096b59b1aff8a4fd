import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listChatConversations } from '#contract/chat-conversations.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesInbox, usePollMs } from '#web/panel/features/inbox/index.ts';

/**
 * The website's and the app's conversations in which somebody wrote on this day. Today shows all unread ones too, so that the counter in the
 * bar never counts what nobody finds.
 */
export function useChatsOfDay(day: string, { isToday }: { isToday: boolean }) {
  const queryKey = ['chats', day, isToday];
  const chats = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const query = { from: day, to: day, chats: 'only' } as const;
      return call(listChatConversations, { query: isToday ? { ...query, unread: 'also' } : query }, { signal });
    },
    refetchInterval: usePollMs(),
    placeholderData: keepPreviousData,
  });
  useRefetchOnHints(queryKey, ({ type }) => changesInbox(type));
  return chats;
}
