import type { LateMinutes } from '#contract/practice/office.ts';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { minutesSince } from '#web/kit/format.tsx';

/** Amber from the office's limit; red from twice the limit, or when the patient asked "Still waiting?". */
export type Lateness = 'none' | 'amber' | 'red';

/** When the visit's current stage began; a reinvite starts it again. */
function inStageSince({ statusCode, createdAt, invitedAt, statusAt, endedAt }: QueueEntry): string {
  if (isHistory(statusCode)) return endedAt ?? statusAt;
  if (statusCode === 'WAITING') return createdAt;
  return statusCode === 'GOING' ? statusAt : (invitedAt ?? statusAt);
}

/** What a card counts: the minutes in the stage; for an ended visit in History, from the arrival to the end. */
export function minutesOnCard(visit: QueueEntry, now: number, isInQueue: boolean): number {
  if (isInQueue || !isHistory(visit.statusCode)) return minutesSince(inStageSince(visit), now);
  return minutesSince(visit.createdAt, visit.endedAt ? Date.parse(visit.endedAt) : now);
}

function limitOf({ statusCode }: QueueEntry, limits: LateMinutes): number | undefined {
  return statusCode === 'REINVITED' ? limits.INVITED : (limits as Partial<Record<string, number>>)[statusCode];
}

/** How late the visit is in its stage. */
export function latenessOf(visit: QueueEntry, limits: LateMinutes, now: number): Lateness {
  const limit = limitOf(visit, limits);
  if (limit === undefined) return 'none';
  if (visit.stillWaitingAt !== null) return 'red';
  const ms = now - Date.parse(inStageSince(visit));
  if (ms >= 2 * limit * 60_000) return 'red';
  return ms >= limit * 60_000 ? 'amber' : 'none';
}

/** The longest in the stage first. */
export function byTimeInStage(visits: readonly QueueEntry[]): QueueEntry[] {
  return visits.toSorted((a, b) => compare(inStageSince(a), inStageSince(b)) || compare(a.id, b.id));
}

/** Who arrived first is first. */
export function byArrival(visits: readonly QueueEntry[]): QueueEntry[] {
  return visits.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
}

/** Order of the History tab: visits left open on a past day first, then the latest to end. */
export function byLastEnded(visits: readonly QueueEntry[]): QueueEntry[] {
  const ended = (visit: QueueEntry) => (isHistory(visit.statusCode) ? (visit.endedAt ?? visit.statusAt) : '~');
  return visits.toSorted((a, b) => compare(ended(b), ended(a)) || compare(a.id, b.id));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
