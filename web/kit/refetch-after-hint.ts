import { useQueryClient, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useHints, type Hint } from './live.ts';

interface Run {
  again: boolean;
  done: Promise<void>;
}

const runs = new WeakMap<Query, Run>();

/** Refetches the queries of a key on each hint that concerns them, while the component is on screen. */
export function useRefetchOnHints(queryKey: QueryKey, concernsIt: (hint: Hint) => boolean): void {
  const cache = useQueryClient();
  useHints((hint) => {
    if (!concernsIt(hint)) return;
    void (hint.type === 'refetch' ? refetchAfterReconnection : refetchAfterHint)(cache, queryKey);
  });
}

/**
 * Refetches the queries of a key that are on screen, and once more if there is another hint meanwhile: an answer on its way may be older than
 * the hint. React Query alone loses a hint during the first load, because a refetch then only waits for that load; and each hint during a
 * later fetch cancels it, so that hints in quick succession show nothing until they stop.
 */
export async function refetchAfterHint(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  // Data that is not on screen is refetched when it is shown again.
  void cache.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
  const queries = cache.getQueryCache().findAll({ queryKey, type: 'active' });
  await Promise.all(queries.map((query) => refetchOne(cache, query)));
}

/** The same after the connection was lost: a fetch on its way may have been lost with it, so it is canceled if there is anything to show. */
export async function refetchAfterReconnection(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const hasData = ({ state }: Query) => state.data !== undefined;
  const first = cache.getQueryCache().findAll({ queryKey, type: 'active', predicate: (query) => !hasData(query) });
  await Promise.all([
    cache.refetchQueries({ queryKey, type: 'active', predicate: hasData }),
    ...first.map((query) => refetchOne(cache, query)),
  ]);
}

function refetchOne(cache: QueryClient, query: Query): Promise<void> {
  const running = runs.get(query);
  if (running) {
    running.again = true;
    return running.done;
  }
  const isFirstLoad = query.state.data === undefined && query.state.fetchStatus !== 'idle';
  const run: Run = { again: isFirstLoad, done: Promise.resolve() };
  run.done = refetchUntilFresh(run, query, () =>
    cache.refetchQueries({ type: 'active', predicate: (one) => one === query }),
  );
  runs.set(query, run);
  return run.done.finally(() => runs.delete(query));
}

async function refetchUntilFresh(run: Run, query: Query, refetch: () => Promise<void>): Promise<void> {
  await refetch();
  while (run.again && query.isActive()) {
    run.again = false;
    await refetch();
  }
}
