import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { applyQueueChanges } from '#contract/queue-changes.ts';
import { listQueue, listQueueChanges, type QueueEntry } from '#contract/queue.ts';
import { call, CallError } from '#web/kit/call.ts';

interface Answer {
  version: string;
  visits: QueueEntry[];
}

/** The queue as the server last answered it. A query that leaves the cache, at the lock or a sign-out, takes it along. */
const answers = new WeakMap<Query, Answer>();

/** The answer that web/panel/app/before-paint.js has asked for. */
const page = globalThis as { anteroomQueue?: Promise<Response | undefined> };

/** Whether the panel was opened here, and the answer has been under way since the page arrived. */
export const isAnswerUnderWay = (): boolean => page.anteroomQueue !== undefined;

function takeEarlyAnswer(): Promise<Response | undefined> | undefined {
  const answer = page.anteroomQueue;
  delete page.anteroomQueue;
  return answer;
}

/** Today's queue. Only what changed since the last answer is transferred. */
export async function readToday(cache: QueryClient, queryKey: QueryKey, signal: AbortSignal): Promise<QueueEntry[]> {
  const query = cache.getQueryCache().find({ queryKey, exact: true });
  const before = query && answers.get(query);
  const since = before?.version;
  const early = since === undefined ? takeEarlyAnswer() : undefined;
  const changes = await call(listQueueChanges, { query: { since } }, { signal, early }).catch(ifUnknown);
  if (!changes)
    return call(listQueue, { query: { includeCancelled: 'true', includeDoctorCancelled: 'true' } }, { signal });
  const visits = applyQueueChanges(before?.visits ?? [], changes);
  if (query) answers.set(query, { version: changes.version, visits });
  return visits;
}

/** While servers are upgraded one by one, an older one does not know the call. */
function ifUnknown(error: unknown): undefined {
  if (error instanceof CallError && error.status === 404) return undefined;
  throw error;
}
