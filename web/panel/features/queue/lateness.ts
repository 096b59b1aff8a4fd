import { isHistory, type LateMinutes, type QueueEntry } from '#contract/queue.ts';

/** When the visit's current status began; a reinvite starts it again. */
function inStateSince({ statusCode, createdAt, invitedAt, statusAt }: QueueEntry): string {
  if (statusCode === 'WAITING') return createdAt;
  return statusCode === 'GOING' ? statusAt : (invitedAt ?? statusAt);
}

function limitOf({ statusCode }: QueueEntry, limits: LateMinutes): number | undefined {
  return statusCode === 'REINVITED' ? limits.INVITED : (limits as Partial<Record<string, number>>)[statusCode];
}

/** Whether the visit has been in its status longer than the office's limit. */
export function isLate(visit: QueueEntry, limits: LateMinutes, now: number): boolean {
  const limit = limitOf(visit, limits);
  return limit !== undefined && now - Date.parse(inStateSince(visit)) >= limit * 60_000;
}

/** Order of the Checkin tab: late patients and "Still waiting?" first, then the longest wait. */
export function byLongestWait(visits: readonly QueueEntry[], limits: LateMinutes, now: number): QueueEntry[] {
  const raised = new Set(visits.filter((visit) => visit.stillWaitingAt !== null || isLate(visit, limits, now)));
  const byArrival = (a: QueueEntry, b: QueueEntry) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id);
  return visits.toSorted((a, b) => Number(raised.has(b)) - Number(raised.has(a)) || byArrival(a, b));
}

/** Order of the History tab: visits left open on a past day first, then the latest to end. */
export function byLastEnded(visits: readonly QueueEntry[]): QueueEntry[] {
  const ended = (visit: QueueEntry) => (isHistory(visit.statusCode) ? (visit.endedAt ?? visit.statusAt) : '~');
  return visits.toSorted((a, b) => compare(ended(b), ended(a)) || compare(a.id, b.id));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
