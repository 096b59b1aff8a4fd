import { MutationCache, QueryCache, QueryClient, notifyManager } from '@tanstack/react-query';
import { CallError } from '#web/kit/call.ts';
import { refetchSessionAfterRefusal } from '#web/kit/session.ts';

/** Retries what may pass by itself: no network, an overloaded or restarting server. A refusal is final. */
const passing = (error: unknown) => error instanceof CallError && (error.status === 0 || error.status >= 502);

// Notifies at the end of the click, not a frame later; otherwise a switch would flicker back to its old side.
notifyManager.setScheduler(queueMicrotask);

export function makeQueryClient(): QueryClient {
  const onError = (error: unknown) => refetchSessionAfterRefusal(client, error);
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
