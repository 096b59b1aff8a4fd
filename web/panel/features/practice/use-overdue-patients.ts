import { useMutation } from '@tanstack/react-query';
import { listQueue } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';

/** Counts who waits longer than that many seconds now: auto-invite with this limit texts them at once. */
export function useOverduePatients() {
  return useMutation({
    mutationFn: async (waitSeconds: number) => {
      const visits = await call(listQueue, { query: {} });
      const dueBefore = serverNow() - waitSeconds * 1000;
      return visits.filter(
        ({ statusCode, createdAt }) => statusCode === 'WAITING' && Date.parse(createdAt) <= dueBefore,
      ).length;
    },
  });
}
