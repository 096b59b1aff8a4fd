/** What a reload of this page would lose, by whoever holds it. In memory only. */
const unsaved = new Set<unknown>();

/** Notes that `holder` has entries, or something on its way, that are only in this page; or that it no longer does. */
export function noteUnsaved(holder: unknown, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(holder);
  else unsaved.delete(holder);
}

export const hasUnsaved = (): boolean => unsaved.size > 0;
