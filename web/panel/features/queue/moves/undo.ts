import { createStore, useStore } from '#web/kit/store.ts';
import { dismissToast, toast, type Toast } from '#web/panel/ui/toasts.ts';

/** A step that U and Ctrl+Z undo. `run` is set for a visit that is in no list: it was removed from the Expected list. */
interface Undoable {
  id: string;
  run?: (() => void) | undefined;
}

/** What this desk moved to History or removed, the newest last. */
const undoable = createStore<readonly Undoable[]>([]);

const without = (id: string) => undoable.get().filter((step) => step.id !== id);
export const rememberUndo = (id: string, run?: () => void) => undoable.set([...without(id), { id, run }].slice(-20));
export const forgetUndo = (id: string) => undoable.set(without(id));

export const useUndoable = () => useStore(undoable);

let shown: number | undefined;

/** Shows a toast about a step or its undo. It replaces the one about an older step, which U still undoes. */
export function toastStep(content: Toast): number {
  if (shown !== undefined) dismissToast(shown);
  shown = toast(content);
  return shown;
}
