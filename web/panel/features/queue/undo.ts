import { useSyncExternalStore } from 'react';

/** What U and Ctrl+Z take back. `run` where the visit is not in the queue's lists: it was removed from the Expected list. */
interface Undoable {
  id: string;
  run?: (() => void) | undefined;
}

/** What this desk moved to History or removed, the last one last. */
let undoable: readonly Undoable[] = [];
const watchers = new Set<() => void>();

function setUndoable(next: readonly Undoable[]): void {
  undoable = next;
  for (const watcher of watchers) watcher();
}

const without = (id: string) => undoable.filter((one) => one.id !== id);
export const rememberUndo = (id: string, run?: () => void) => setUndoable([...without(id), { id, run }].slice(-20));
export const forgetUndo = (id: string) => setUndoable(without(id));

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useUndoable = () => useSyncExternalStore(watch, () => undoable);
