import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  cancelText,
  changeText,
  listOutbox,
  releaseText,
  retryText,
  type OutboxState,
  type OutboxText,
} from '#contract/sms.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useHints } from '#web/kit/live.ts';
import { toast } from '#web/panel/ui/toasts.ts';

export const outboxKey = ['sms-outbox'] as const;
/** Sent texts send no hint, so that 10,000 of them do not make each panel fetch 10,000 times. */
const pollMs = 20_000;

/** The office's texts, page by page. */
export function useOutbox(state: OutboxState | '') {
  const outbox = useInfiniteQuery({
    queryKey: [...outboxKey, state],
    queryFn: ({ pageParam, signal }) =>
      call(listOutbox, { query: { ...(state && { state }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.texts.some(mayMoveSoon) ? pollMs : false),
  });
  useHints(({ type }) => {
    if (type === 'outbox' || type === 'message' || type === 'refetch') void outbox.refetch();
  });
  return outbox;
}

/** It is on its way, or will be within minutes. */
const mayMoveSoon = ({ state, sendAt }: OutboxText) =>
  state === 'sending' || state === 'sent' || (state === 'scheduled' && Date.parse(sendAt) - Date.now() < 300_000);

export type OutboxMove = 'cancel' | 'release' | 'retry';

export function useOutboxMove() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const calls = { cancel: cancelText, release: releaseText, retry: retryText };
  return useMutation({
    mutationFn: ({ text, move }: { text: OutboxText; move: OutboxMove }) =>
      call(calls[move], { params: { textId: text.id } }),
    onSuccess: (_text, { move }) => {
      const titles = { cancel: t`Text canceled`, release: t`The text is on its way`, retry: t`The text is on its way` };
      toast({ title: titles[move] });
    },
    onError: (error) =>
      toast({
        tone: 'red',
        title: t`Nothing was changed`,
        text: errorMessage(error, t`The server could not be reached. Try again.`),
        seconds: 10,
      }),
    onSettled: () => void cache.invalidateQueries({ queryKey: outboxKey }),
  });
}

export function useChangeText() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; message?: string; sendAt?: string }) =>
      call(changeText, { params: { textId: id }, body }),
    onSettled: () => void cache.invalidateQueries({ queryKey: outboxKey }),
  });
}
