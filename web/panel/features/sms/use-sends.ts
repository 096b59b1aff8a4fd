import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { cancelSmsSend, listSmsSends, type SmsSend } from '#contract/sms.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { outboxKey } from './use-outbox.ts';

/** Below the outbox's key: what refreshes the outbox refreshes the sends. */
const sendsKey = [...outboxKey, 'sends'] as const;

/** The newest sends to several people. */
export function useSends(): SmsSend[] {
  const sends = useQuery({
    queryKey: sendsKey,
    queryFn: ({ signal }) => call(listSmsSends, {}, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(sendsKey, ({ type }) => type === 'outbox' || type === 'refetch');
  return sends.data?.sends ?? [];
}

/** Cancels what has not gone out of a send, and says how many that were. */
export function useCancelSend() {
  const { t } = useLingui();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (sendId: string) => call(cancelSmsSend, { params: { sendId } }),
    onSuccess: ({ canceled, send: { gone } }) => {
      if (canceled === 0) return void toast({ tone: 'amber', title: t`Nothing was left to cancel` });
      toast({
        title: plural(canceled, { one: '# text canceled', other: '# texts canceled' }),
        ...(gone > 0 && {
          text: plural(gone, { one: '# had gone out already.', other: '# had gone out already.' }),
        }),
      });
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
