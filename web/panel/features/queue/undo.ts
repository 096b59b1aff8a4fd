import { useSyncExternalStore } from 'react';

/** What U and Ctrl+Z take back. `run` where the visit is not in the queue's lists: it was removed from the Expected list. */
interface Undoable {
  id: string;
  run?: (() => void) | undefined;
}

/** What this desk moved to History or removed, the last one last. */
let kept: readonly Undoable[] = [];
const watchers = new Set<() => void>();

function keep(next: readonly Undoable[]): void {
  kept = next;
  for (const watcher of watchers) watcher();
}

const without = (id: string) => kept.filter((one) => one.id !== id);
export const rememberUndo = (id: string, run?: () => void) => keep([...without(id), { id, run }].slice(-20));
export const forgetUndo = (id: string) => keep(without(id));

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useUndoable = () => useSyncExternalStore(watch, () => kept);
