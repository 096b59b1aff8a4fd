import { useSyncExternalStore } from 'react';

/** What is written and not sent, by visit: kept while the panel is open and nowhere else. */
export interface Draft {
  text: string;
  /** Why the last try failed. */
  error: string | undefined;
  /** Names the message: sent again after a lost answer, it is the same one. */
  key: string;
}

const drafts = new Map<string, Draft>();
const blank: Draft = { text: '', error: undefined, key: '' };
const watchers = new Set<() => void>();

export const draftOf = (visitId: string): Draft => drafts.get(visitId) ?? blank;

export function setDraft(visitId: string, draft: Draft | undefined): void {
  if (draft && draft.text !== '') drafts.set(visitId, draft);
  else drafts.delete(visitId);
  for (const watcher of watchers) watcher();
}

/** A text as it is typed: another text is another message. */
export const edit = (visitId: string, text: string) =>
  setDraft(visitId, { text, error: undefined, key: crypto.randomUUID() });

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useDraft = (visitId: string): Draft => useSyncExternalStore(watch, () => draftOf(visitId));
