import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listChatConversations } from '#contract/conversations/chat-conversations.ts';
import { conversationsPerPage } from '#contract/conversations/inbox.ts';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesInbox } from '#web/panel/features/inbox/index.ts';

/** `only`: conversations of the website and the app. `all`: also those by text, which have a phone number. */
export type ShownChats = 'all' | 'only';

/**
 * The conversations in which somebody wrote on this day. Today shows all unread ones too, so that the counter in the bar never counts what
 * nobody finds.
 */
export function useChatsOfDay(day: string, { shown, isToday }: { shown: ShownChats; isToday: boolean }) {
  const queryKey = ['chats', day, shown, isToday];
  const chats = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const query = {
        from: day,
        to: day,
        ...(shown === 'only' && { chats: 'only' as const }),
        ...(isToday && { unread: 'also' as const }),
      };
      return call(listChatConversations, { query }, { signal });
    },
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
  useRefetchOnHints(queryKey, ({ type }) => changesInbox(type));
  return chats;
}

/** A wave of advertising fills several pages; no desk looks through more than this many. */
const mostHeldPages = 8;

async function readHeldChats(signal: AbortSignal): Promise<Conversation[]> {
  const held: Conversation[] = [];
  for (let page = 1; page <= mostHeldPages; page++) {
    const query = { held: 'only' as const, page: String(page) };
    const found = await call(listChatConversations, { query }, { signal });
    held.push(...found);
    if (found.length < conversationsPerPage) break;
  }
  return held;
}

/** Conversations of any day that are held back because they look like advertising. */
export function useHeldChats(): readonly Conversation[] {
  const queryKey = ['chats', 'held'];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readHeldChats(signal),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(queryKey, ({ type }) => changesInbox(type));
  return data ?? [];
}
