import type { LateMinutes } from '#contract/practice/office.ts';
import { isHistory, isInside, type QueueEntry } from '#contract/queue.ts';
import type { QueueStage } from '#contract/sign-in/session.ts';
import { useNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { byLastEnded } from './lateness.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import { useWithPending } from '#web/panel/features/queue/moves/pending-moves.ts';
import { searchExpected, searchVisits } from './search-visits.ts';
import { plainRows, rowsOf, stagesOf, visitsOf } from './stages.ts';
import { useClosedStages } from './use-closed-stages.ts';
import { useExpected } from '#web/panel/features/queue/expected/use-expected.ts';
import { useHeldRows } from './use-held-rows.ts';
import { useQueueAddress } from '#web/panel/features/queue/page/use-queue-address.ts';
import { useDay, useQueueSettings, useToday } from '#web/panel/features/queue/visits/use-queue.ts';
import { useDensity } from '#web/panel/features/queue/page/view-menu.tsx';
import { rowHeights } from './visit-list.tsx';

/**
 * The visits of the queue's tabs: today's, those of the day that the history shows, and the patients expected today. `only` is the one
 * stage to show; a search shows all.
 */
export function useQueueLists(search: string, only: QueueStage | undefined) {
  const { tab, visitId, day } = useQueueAddress();
  const now = useNow();
  const today = dayOf(now, useOfficeZone());
  const settings = useQueueSettings();
  const todaysVisits = useToday();
  const pastDay = day !== undefined && day < today ? day : undefined;
  const pastVisits = useDay(tab === 'history' ? pastDay : undefined);
  const expected = searchExpected(useExpected(today), search);
  const { closed, setStage } = useClosedStages();
  const density = useDensity();

  const here = useWithPending(todaysVisits.data);
  const past = useWithPending(pastVisits.data);
  const { waiting, inQueue, ended, all, stages, inOrder } = useInOrder({
    here,
    past: pastDay ? (past ?? nobody) : undefined,
    isHistoryTab: tab === 'history',
    limits: settings.lateMinutes,
    now,
    search,
    closed,
    only,
  });
  const chosen = all.find(({ id }) => id === visitId);
  const view = [tab, day, search, only, ...closed, density].join(' ');
  const { rows, onHover } = useHeldRows(inOrder, visitId, rowHeights[density], view);
  return {
    /** The request behind the tab on screen. */
    query: tab === 'history' && pastDay ? pastVisits : todaysVisits,
    /** Today's visits as the server returned them. */
    arrived: todaysVisits.data,
    /** Today's visits, with the moves that the server has not confirmed yet. */
    here,
    /** Those who have not ended their visit. */
    waiting,
    /** With those who have just gone inside: the Checkin tab. */
    inQueue,
    ended,
    stages,
    rows,
    onHover,
    onStage: setStage,
    /** The visits of the rows, in order. */
    shown: visitsOf(rows),
    all,
    chosen,
    expected,
    settings,
    now,
    today,
    /** The day that the history shows. */
    day: pastDay ?? today,
    density,
  };
}

const nobody: readonly QueueEntry[] = [];

interface InOrderInput {
  here: readonly QueueEntry[] | undefined;
  /** The visits of another day, if the history shows one. */
  past: readonly QueueEntry[] | undefined;
  isHistoryTab: boolean;
  limits: LateMinutes;
  now: number;
  search: string;
  closed: readonly QueueStage[];
  only: QueueStage | undefined;
}

/**
 * Filters and sorts the visits. It is compiled apart from the selection: together, each step through the list did all of it again, and
 * every row was a new one.
 */
function useInOrder({ here, past, isHistoryTab, limits, now, search, closed, only }: InOrderInput) {
  'use memo';
  const waiting = here?.filter(isWaiting) ?? [];
  const inQueue = here?.filter((visit) => isWaiting(visit) || isInside(visit, now)) ?? [];
  const ended = byLastEnded(past ?? here?.filter((visit) => !isWaiting(visit)) ?? []);
  const all = past ? [...(here ?? []), ...past] : (here ?? []);
  const isSearching = search.trim() !== '';
  const stages = stagesOf(searchVisits(inQueue, search), limits, now);
  const inOrder = isHistoryTab
    ? plainRows(searchVisits(ended, search))
    : rowsOf(stages, isSearching ? { closed: [], only: undefined } : { closed, only });
  return { waiting, inQueue, ended, all, stages, inOrder };
}

const isWaiting = ({ statusCode }: QueueEntry) => !isHistory(statusCode);
