import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queueSettingsDefault, readQueueSettings } from '#contract/practice/office.ts';
import { listQueue, readVisit, type QueueEntry } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { useHints, type Hint } from '#web/kit/live.ts';
import { pollMs as pollOfOtherPagesMs } from '#web/kit/poll.ts';
import { refetchAfterHint } from '#web/kit/refetch-after-hint.ts';
import { asDatetime } from './as-datetime.ts';
import { isAnswerUnderWay, readToday } from './read-today.ts';

/** Hints keep the queue up to date; polling covers a lost socket. docs/behavior.md gives the interval. */
const pollMs = 7_000;
/** Wait before reading a visit: stepping past patients with the keyboard must not add "viewed" entries to the audit log. */
const readDelayMs = 100;

const queueKey = (day: string | undefined) => ['queue', day ?? 'today'] as const;
const visitKey = (id: string | undefined) => ['visit', id] as const;
const settingsKey = ['queue-settings'] as const;

/** The queue of a day (YYYY-MM-DD); today by default. */
export function dayQuery(day: string | undefined, cache: QueryClient) {
  return queryOptions({
    queryKey: queueKey(day),
    queryFn: async ({ signal }) => {
      const fresh = day ? await readDay(day, signal) : await readToday(cache, queueKey(undefined), signal);
      return keepNewer(fresh, cache.getQueryData<QueueEntry[]>(queueKey(day)));
    },
  });
}

const readDay = (day: string, signal: AbortSignal) =>
  call(
    listQueue,
    { query: { includeCancelled: 'true', includeDoctorCancelled: 'true', datetime: asDatetime(day) } },
    { signal },
  );

/** Keeps the newer version of a visit when a response that is older than a move arrives after it. */
function keepNewer(fresh: QueueEntry[], known: QueueEntry[] | undefined): QueueEntry[] {
  if (!known || known === fresh) return fresh;
  const versions = new Map(known.map((visit) => [visit.id, visit]));
  const older = (visit: QueueEntry) => visit.version < (versions.get(visit.id)?.version ?? 0);
  return fresh.some(older) ? fresh.map((visit) => (older(visit) ? (versions.get(visit.id) ?? visit) : visit)) : fresh;
}

/** Today's queue: polled, and refetched on a hint. */
export function useToday() {
  const cache = useQueryClient();
  return useQuery({ ...dayQuery(undefined, cache), refetchInterval: pollMs, refetchIntervalInBackground: true });
}

/**
 * The same answer for the frame of all pages. Each answer starts both polls again, so the slower one asks only where no queue is on screen.
 */
export function useQueueOfShell() {
  const cache = useQueryClient();
  const query = dayQuery(undefined, cache);
  return useQuery({ ...query, refetchInterval: pollOfOtherPagesMs, refetchIntervalInBackground: true });
}

/** The queue of another day; not fetched without a day. */
export function useDay(day: string | undefined) {
  const cache = useQueryClient();
  return useQuery({ ...dayQuery(day, cache), enabled: day !== undefined, staleTime: 60_000 });
}

const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: ({ signal }) => call(readQueueSettings, {}, { signal }),
  staleTime: 300_000,
});

/** The office's queue settings; the defaults until they are loaded. */
export function useQueueSettings() {
  return useQuery(settingsQuery).data ?? queueSettingsDefault;
}

/** So long a page that was just opened waits for the queue to render once, with its cards, instead of once without and once with them. */
const longestWaitMs = 80;

/** Prefetches today's queue while the page's code loads. Resolves when the page may be rendered. */
export async function prefetchQueue(cache: QueryClient): Promise<void> {
  const isSoonHere = isAnswerUnderWay();
  const queue = cache.prefetchQuery(dayQuery(undefined, cache));
  void cache.prefetchQuery(settingsQuery);
  if (isSoonHere) await Promise.race([queue, new Promise((resolve) => setTimeout(resolve, longestWaitMs))]);
}

/**
 * One visit with its messages and history. Refetched whenever its row in the list changes.
 */
export function useVisit(id: string, row: QueueEntry | undefined) {
  const cache = useQueryClient();
  const answer = useQuery({
    queryKey: visitKey(id),
    queryFn: async ({ signal }) => {
      if (!cache.getQueryData(visitKey(id))) await pause(readDelayMs, signal);
      return call(readVisit, { params: { visitId: id } }, { signal });
    },
  });
  const seen = answer.data?.visit;
  const changed = row && seen && stampOf(row) !== stampOf(seen);
  const stamp = changed ? stampOf(row) : '';
  useEffect(() => {
    if (stamp) void cache.invalidateQueries({ queryKey: visitKey(id) });
  }, [cache, id, stamp]);
  return answer;
}

const stampOf = ({ version, messageCount, lastTextId, lastMessageState, unreadMessages, forms }: QueueEntry) =>
  [version, messageCount, lastTextId, lastMessageState, unreadMessages]
    .concat(forms.flatMap(({ started, done, needed }) => [started, done, needed]))
    .join(' ');

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done, stop) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      stop(signal.reason as Error);
    });
  });

/** Refetches on the office's hints; hints that arrive during a fetch cause one more. */
export function useQueueHints(visitId: string | undefined): void {
  const cache = useQueryClient();
  useHints((hint) => {
    if (hint.type === 'settings') void refetchAfterHint(cache, settingsKey);
    void refetchQueueAfterHint(cache, hint, visitId);
  });
}

/** Refetches today's queue, and the visit on screen after a hint about its messages. */
export async function refetchQueueAfterHint(
  cache: QueryClient,
  { type, visit }: Hint,
  visitId: string | undefined,
): Promise<void> {
  if (type !== 'checkin' && type !== 'message' && type !== 'settings' && type !== 'opened') return;
  await refetchAfterHint(cache, queueKey(undefined));
  // The row does not show the delivery of older texts, nor a picture that comes after its text.
  if (type === 'message' && visit !== undefined && visit === visitId) await refetchAfterHint(cache, visitKey(visitId));
}

/** Writes the server's visit into every cached list and panel that shows it. */
export function showVisit(cache: QueryClient, visit: QueueEntry): void {
  cache.setQueriesData<QueueEntry[]>({ queryKey: ['queue'] }, (list) =>
    list?.map((old) => (old.id === visit.id && old.version <= visit.version ? visit : old)),
  );
}

/** The visit from the cached lists, if any shows it. */
export function cachedVisit(cache: QueryClient, id: string): QueueEntry | undefined {
  const lists = cache.getQueriesData<QueueEntry[]>({ queryKey: ['queue'] });
  return lists.flatMap(([, list]) => list ?? []).find((visit) => visit.id === id);
}

/** Refetches everything about a visit. */
export function refetchVisit(cache: QueryClient, visitId: string): void {
  void cache.invalidateQueries({ queryKey: ['queue'] });
  void cache.invalidateQueries({ queryKey: visitKey(visitId) });
}
