import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readFirstSteps, saveFirstSteps } from '#contract/practice/first-steps.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { sessionQuery } from '#web/kit/session.ts';

const queryKey = ['first-steps'];

/** Which first steps are done. Fetched again whenever something happens in the office. */
export function useFirstSteps() {
  const steps = useQuery({ queryKey, queryFn: ({ signal }) => call(readFirstSteps, {}, { signal }) });
  useRefetchOnHints(queryKey, () => true);
  return steps;
}

/** Closes or opens the list for the whole office. */
export function useShowFirstSteps() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (shown: boolean) => call(saveFirstSteps, { body: { shown } }),
    onSuccess: async (steps) => {
      cache.setQueryData(queryKey, steps);
      await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}
