import { isHistory } from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { byLastEnded, byLongestWait } from './lateness.ts';
import { dayOf } from './office-day.ts';
import { useWithPending } from './pending-moves.ts';
import { searchExpected, searchVisits } from './search-visits.ts';
import { useExpected } from './use-expected.ts';
import { useQueueAddress } from './use-queue-address.ts';
import { useDay, useQueueHints, useQueueSettings, useToday } from './use-queue.ts';

/** The visits of the queue's tabs: today's, those of the day that the history shows, and the patients expected today. */
export function useQueueLists(search: string) {
  const { tab, visitId, day } = useQueueAddress();
  const now = useNow();
  const today = dayOf(now, useOfficeZone());
  const settings = useQueueSettings();
  const todaysVisits = useToday();
  const pastDay = day !== undefined && day < today ? day : undefined;
  const pastVisits = useDay(tab === 'history' ? pastDay : undefined);
  const expected = searchExpected(useExpected(today), search);
  useQueueHints(visitId);

  const here = useWithPending(todaysVisits.data);
  const past = useWithPending(pastVisits.data);
  const isWaiting = ({ statusCode }: NonNullable<typeof here>[number]) => !isHistory(statusCode);
  const waiting = byLongestWait(here?.filter(isWaiting) ?? [], settings.lateMinutes, now);
  const ended = byLastEnded((pastDay ? past : here?.filter((visit) => !isWaiting(visit))) ?? []);
  const all = pastDay ? [...(here ?? []), ...(past ?? [])] : (here ?? []);
  const chosen = all.find(({ id }) => id === visitId);
  return {
    /** The request behind the tab on screen. */
    query: tab === 'history' && pastDay ? pastVisits : todaysVisits,
    /** Today's visits as the server returned them. */
    arrived: todaysVisits.data,
    /** Today's visits, with the moves that the server has not confirmed yet. */
    here,
    waiting,
    ended,
    shown: searchVisits(tab === 'history' ? ended : waiting, search),
    all,
    chosen,
    isToday: chosen === undefined || (here?.includes(chosen) ?? false),
    expected,
    settings,
    now,
    today,
    /** The day that the history shows. */
    day: pastDay ?? today,
  };
}
