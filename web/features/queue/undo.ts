import { useSyncExternalStore } from 'react';

/** Visits this desk moved to History and may move back with U or Ctrl+Z, the last one last. */
let ids: readonly string[] = [];
const watchers = new Set<() => void>();

function keep(next: readonly string[]): void {
  ids = next;
  for (const watcher of watchers) watcher();
}

export const rememberUndo = (id: string) => keep([...ids.filter((one) => one !== id), id].slice(-20));
export const forgetUndo = (id: string) => keep(ids.filter((one) => one !== id));

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useUndoable = () => useSyncExternalStore(watch, () => ids);
