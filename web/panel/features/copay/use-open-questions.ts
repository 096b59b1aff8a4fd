import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { countOpenQuestions, listOpenQuestions, resolveQuestion, type OpenQuestion } from '#contract/transactions.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useSession } from '#web/kit/session.ts';

/** What a person has to find out. */
export function useOpenQuestions(enabled = true) {
  return useQuery({
    queryKey: ['transactions', 'unknown'],
    queryFn: ({ signal }) => call(listOpenQuestions, {}, { signal }),
    refetchInterval: pollMs,
    enabled,
  });
}

/** How much there is to find out, for the tab. */
export function useOpenQuestionCount(): number {
  const { office } = useSession();
  const { data } = useQuery({
    queryKey: ['transactions', 'unknown', 'count'],
    queryFn: ({ signal }) => call(countOpenQuestions, {}, { signal }),
    enabled: office?.hasTransactions === true,
    refetchInterval: pollMs,
    staleTime: pollMs,
  });
  return data?.count ?? 0;
}

/** Says what was found out. */
export function useResolve({ kind, id, amount }: OpenQuestion) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (happened: boolean) => call(resolveQuestion, { body: { kind, id, happened, amount } }),
    onSettled: () =>
      Promise.all([['transactions'], ['payment'], ['queue']].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
}
