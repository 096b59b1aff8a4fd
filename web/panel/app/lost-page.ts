import { useSyncExternalStore } from 'react';

let lost = false;
const watchers = new Set<() => void>();

/** Remembers that somebody opened an address that does not exist, until they close the banner about it. */
export function setLostPage(to: boolean): void {
  lost = to;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useLostPage = () => useSyncExternalStore(watch, () => lost);
