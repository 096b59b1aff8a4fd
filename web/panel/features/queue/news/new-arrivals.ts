import { createStore } from '#web/kit/store.ts';

interface NewArrivals {
  officeId: string;
  /** Visits, the first to arrive first. */
  ids: readonly string[];
}

const none: NewArrivals = { officeId: '', ids: [] };

/** Who arrived while this window was watching, and whom nobody here has opened yet. Ids only, because it outlives the lock. */
export const newArrivals = createStore(none);

export function addArrivals(officeId: string, arrived: readonly string[]): void {
  const before = newArrivals.get();
  newArrivals.set({ officeId, ids: [...(before.officeId === officeId ? before.ids : []), ...arrived] });
}

/** Keeps those that are still new. */
export function keepArrivals(officeId: string, isStillNew: (id: string) => boolean): void {
  const before = newArrivals.get();
  if (before.ids.length === 0) return;
  const ids = before.officeId === officeId ? before.ids.filter(isStillNew) : [];
  if (ids.length < before.ids.length) newArrivals.set({ officeId, ids });
}
