import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendMessage, sendWaitingMessage, type Message } from '#contract/conversations.ts';
import { call } from '#web/kit/call.ts';
import { inboxKey } from './use-inbox.ts';
import { countsKey } from './use-inbox-counts.ts';
import { threadKey } from './use-thread.ts';

/** Sends the words of a failed message again, as a new message. Its id comes from the failed one: two desks that retry send it once. */
export function useRetry(conversationId: string, { _id, body }: Message) {
  const refetch = useRefetchThread(conversationId);
  return useMutation({
    mutationFn: () => call(sendMessage, { body: { conversationId, body, clientId: `retry-${_id}` } }),
    onSuccess: refetch,
  });
}

/** Sends a message now that waits for the end of quiet hours. */
export function useSendNow(conversationId: string, messageId: string) {
  const refetch = useRefetchThread(conversationId);
  return useMutation({
    mutationFn: () => call(sendWaitingMessage, { params: { id: conversationId, messageId } }),
    onSuccess: refetch,
  });
}

function useRefetchThread(conversationId: string): () => Promise<unknown> {
  const cache = useQueryClient();
  return () =>
    Promise.all([
      cache.refetchQueries({ queryKey: threadKey(conversationId) }),
      cache.invalidateQueries({ queryKey: inboxKey }),
      cache.invalidateQueries({ queryKey: countsKey }),
    ]);
}
