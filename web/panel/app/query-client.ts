import { MutationCache, QueryCache, QueryClient, notifyManager } from '@tanstack/react-query';
import { CallError } from '#web/kit/call.ts';
import { noticeRefusal } from '#web/kit/session.ts';

/** Tries again what may pass by itself: no network, an overloaded or restarting server. A refusal stays a refusal. */
const passing = (error: unknown) => error instanceof CallError && (error.status === 0 || error.status >= 502);

// Told at the end of the press that changed it, not a frame later: a switch never shows its old side again.
notifyManager.setScheduler(queueMicrotask);

export function makeQueryClient(): QueryClient {
  const onError = (error: unknown) => noticeRefusal(client, error);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { networkMode: 'always', retry: (count, error) => count < 2 && passing(error) },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
