import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readConversation } from '#contract/conversations/inbox.ts';
import type { Message } from '#contract/conversations/shapes.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesInbox } from './use-inbox-counts.ts';

export const threadKey = (id: string) => ['conversation', id] as const;

/** A conversation with its newest messages. */
export function useThread(id: string) {
  const thread = useQuery({
    queryKey: threadKey(id),
    queryFn: ({ signal }) => call(readConversation, { params: { id }, query: {} }, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(threadKey(id), ({ type }) => changesInbox(type));
  return thread;
}

/** The messages of a conversation that are loaded so far, oldest first: the newest page, and older ones on demand. */
export function useMessages(id: string, newestPage: readonly Message[]) {
  const [earlier, setEarlier] = useState<ReadonlyMap<number, Message>>(new Map());
  // As messages arrive, the newest page moves on: what leaves it stays on screen.
  useEffect(() => setEarlier((known) => withMessages(known, newestPage)), [newestPage]);
  const messages = [...withMessages(earlier, newestPage).values()].sort((a, b) => a.sequence - b.sequence);
  const first = messages[0]?.sequence ?? 1;
  const older = useMutation({
    mutationFn: (before: number) => call(readConversation, { params: { id }, query: { before: String(before) } }),
    onSuccess: (page) => setEarlier((known) => withMessages(known, page.messages)),
  });
  return {
    messages,
    /** Sequences begin at 1. */
    hasOlder: first > 1,
    isLoading: older.isPending,
    error: older.error,
    loadOlder() {
      if (first > 1 && !older.isPending) older.mutate(first);
    },
  };
}

function withMessages(known: ReadonlyMap<number, Message>, page: readonly Message[]): ReadonlyMap<number, Message> {
  return new Map([...known, ...page.map((message) => [message.sequence, message] as const)]);
}
