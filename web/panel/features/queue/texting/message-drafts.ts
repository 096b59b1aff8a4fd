import { createStore, useStore } from '#web/kit/store.ts';

/** An unsent message. Drafts live in memory only, for as long as the panel is open. */
export interface Draft {
  text: string;
  /** Error message of the last attempt. */
  error: string | undefined;
  /** Idempotency key: a retry after a lost answer is the same message. */
  key: string;
}

const drafts = createStore<ReadonlyMap<string, Draft>>(new Map());
const blank: Draft = { text: '', error: undefined, key: '' };

export const draftOf = (visitId: string): Draft => drafts.get().get(visitId) ?? blank;

export function setDraft(visitId: string, draft: Draft | undefined): void {
  const next = new Map(drafts.get());
  if (draft && draft.text !== '') next.set(visitId, draft);
  else next.delete(visitId);
  drafts.set(next);
}

/** Changes the text of a draft. A new text gets a new idempotency key. */
export const edit = (visitId: string, text: string) =>
  setDraft(visitId, { text, error: undefined, key: crypto.randomUUID() });

export const useDraft = (visitId: string): Draft => useStore(drafts).get(visitId) ?? blank;
