import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLingui } from '@lingui/react/macro';
import {
  cancelWaitingMessage,
  restoreCanceledMessage,
  retryIdOf,
  sendMessage,
  sendWaitingMessage,
} from '#contract/conversations/messages.ts';
import type { Message } from '#contract/conversations/shapes.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { inboxKey } from './use-inbox.ts';
import { countsKey } from './use-inbox-counts.ts';
import { threadKey } from './use-thread.ts';

/** Sends the text of a failed message again, as a new message. Its id comes from the failed one: two desks that retry send it once. */
export function useRetry(conversationId: string, { _id, body }: Message) {
  const refetch = useRefetchThread(conversationId);
  return useMutation({
    mutationFn: () => call(sendMessage, { body: { conversationId, body, clientId: retryIdOf(_id) } }),
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

/** Cancels a message that waits for the end of quiet hours. Its text can be restored; the link of a picture cannot. */
export function useCancel(conversationId: string, { _id: messageId, type }: Message) {
  const { t } = useLingui();
  const refetch = useRefetchThread(conversationId);
  const params = { id: conversationId, messageId };
  const restore = useMutation({
    mutationFn: () => call(restoreCanceledMessage, { params }),
    onSuccess: refetch,
    onError: (error) =>
      toast({ title: errorMessage(error, t`The server could not be reached. Nothing was changed.`), tone: 'red' }),
  });
  return useMutation({
    mutationFn: () => call(cancelWaitingMessage, { params }),
    onSuccess: async () => {
      toast({
        title: t`Answer canceled`,
        text: t`The patient does not get it.`,
        tone: 'green',
        ...(type === 'text' && { action: { label: t`Undo`, run: () => restore.mutate() } }),
      });
      await refetch();
    },
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
