import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  cancelText,
  changeText,
  listOutbox,
  releaseText,
  retryText,
  searchOutbox,
  type OutboxState,
  type OutboxText,
} from '#contract/sms.ts';
import { call } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { textErrorAdvice } from '#web/panel/features/queue/index.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useTimeName } from './use-time-name.ts';

export const outboxKey = ['sms-outbox'] as const;

/** The office's texts, page by page: those that match the search if there is one. Sent ones send no hint, so that 10,000 of them do not make each panel fetch 10,000 times. */
export function useOutbox(state: OutboxState | '', search: string) {
  const queryKey = [...outboxKey, 'texts', state, search];
  const outbox = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const page = { ...(state && { state }), ...(pageParam && { before: pageParam }) };
      return search
        ? call(searchOutbox, { body: { ...page, search } }, { signal })
        : call(listOutbox, { query: page }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
    refetchInterval: pollMs,
  });
  useRefetchOnHints(queryKey, ({ type }) => type === 'outbox' || type === 'message' || type === 'refetch');
  return outbox;
}

export type OutboxMove = 'cancel' | 'release' | 'retry';

export function useOutboxMove() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const reportTime = useReportTime();
  const calls = { cancel: cancelText, release: releaseText, retry: retryText };
  return useMutation({
    mutationFn: ({ text, move }: { text: OutboxText; move: OutboxMove }) =>
      call(calls[move], { params: { textId: text.id } }),
    onSuccess: (text, { move }) => {
      if (move === 'cancel') return void toast({ title: t`Text canceled` });
      if (text.state !== 'held') return reportTime(text, t`The text is on its way`);
      toast({ tone: 'amber', title: t`The text was held back`, text: textErrorAdvice(text), seconds: 10 });
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

/** A text that goes out within this time is on its way. */
const soonMs = 15_000;

/** Returns a function that says when a text goes out: `soon` if that is now. Only the demo sends in quiet hours. */
function useReportTime(): (text: OutboxText, soon: string) => void {
  const { t } = useLingui();
  const timeName = useTimeName();
  return ({ sendAt, inQuietHours }, soon) => {
    const time = timeName(sendAt);
    const title = Date.parse(sendAt) > serverNow() + soonMs ? t`Goes out ${time}` : soon;
    const warning = t`That is in quiet hours, here or in the number’s area code.`;
    toast({ title, ...(inQuietHours && { tone: 'amber', text: warning, seconds: 10 }) });
  };
}

export function useChangeText() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const reportTime = useReportTime();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; message?: string; sendAt?: string }) =>
      call(changeText, { params: { textId: id }, body }),
    onSuccess: (text, { sendAt }) => {
      if (sendAt === undefined) toast({ title: t`Text changed` });
      else reportTime(text, t`Text changed`);
    },
    onSettled: () => void cache.invalidateQueries({ queryKey: outboxKey }),
  });
}
