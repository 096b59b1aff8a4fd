import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useLingui } from '@lingui/react/macro';
import {
  assignConversation,
  blockVisitor,
  closeConversation,
  readInbox,
  reopenConversation,
  searchInbox,
  unblockVisitor,
  type InboxFilter,
  type Thread,
} from '#contract/conversations/inbox.ts';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { changesInbox, countsKey } from './use-inbox-counts.ts';
import { threadKey } from './use-thread.ts';

export const inboxKey = ['inbox'] as const;

/** The conversations of a filter, those that match the search if there is one; more pages on demand. */
export function useInbox(filter: InboxFilter, search: string) {
  const queryKey = [...inboxKey, filter, search];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const page = { filter, ...(pageParam && { cursor: pageParam }) };
      return search
        ? call(searchInbox, { body: { ...page, search } }, { signal })
        : call(readInbox, { query: page }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
  useRefetchOnHints(queryKey, ({ type }) => changesInbox(type));
  return list;
}

type Change = 'close' | 'reopen' | 'assign' | 'unassign' | 'block' | 'unblock';

/** Closes, opens or assigns a conversation, or blocks its visitor. Closing and blocking can be undone. */
export function useChangeConversation() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id, change }: { id: string; change: Change }): Promise<Conversation> => {
      const params = { id };
      if (change === 'close') return call(closeConversation, { params });
      if (change === 'reopen') return call(reopenConversation, { params });
      if (change === 'block') return call(blockVisitor, { params });
      if (change === 'unblock') return call(unblockVisitor, { params });
      return call(assignConversation, { params, body: { to: change === 'assign' ? 'me' : null } });
    },
    onSuccess: (conversation, { id, change }) => {
      cache.setQueryData(threadKey(id), (known: Thread | undefined) => known && { ...known, conversation });
      void cache.invalidateQueries({ queryKey: inboxKey });
      void cache.invalidateQueries({ queryKey: countsKey });
      if (change === 'block' || change === 'unblock') void cache.invalidateQueries({ queryKey: threadKey(id) });
      if (change === 'block')
        toast({
          title: t`Visitor blocked`,
          text: t`They cannot write to you in this chat.`,
          tone: 'green',
          action: { label: t`Undo`, run: () => mutate({ id, change: 'unblock' }) },
        });
      if (change === 'close') {
        // A closed conversation is not under Failed any more, so nobody would learn it there.
        const isLost = conversation.failed && conversation.lastState === 'failed';
        toast({
          title: t`Conversation closed`,
          text: isLost ? t`The last text was not delivered.` : t`The patient’s next message opens it again.`,
          tone: isLost ? 'amber' : 'green',
          seconds: isLost ? 10 : 5,
          action: { label: t`Undo`, run: () => mutate({ id, change: 'reopen' }) },
        });
      }
    },
    onError: (error) =>
      toast({ title: errorMessage(error, t`The server could not be reached. Nothing was changed.`), tone: 'red' }),
  });
  return { change: (id: string, change: Change) => mutate({ id, change }), isPending };
}
