import type { QueueChanges, QueueEntry } from './queue.ts';

/** The queue after these changes. Visits that did not change stay the same objects. */
export function applyQueueChanges(
  visits: readonly QueueEntry[],
  { isWhole, visits: changed, after, removed }: QueueChanges,
): QueueEntry[] {
  if (isWhole) return changed;
  const newer = new Map(changed.map((visit) => [visit.id, visit]));
  const gone = new Set(removed);
  const result = visits.filter(({ id }) => !gone.has(id)).map((visit) => newer.get(visit.id) ?? visit);
  const known = new Set(visits.map(({ id }) => id));
  // In the queue's order, so that the visit before a new one is there already.
  for (const visit of changed) {
    if (known.has(visit.id)) continue;
    result.splice(result.findIndex(({ id }) => id === after[visit.id]) + 1, 0, visit);
  }
  return result;
}
