import type { FormDraft } from './form-draft.ts';

/** What was typed and is not saved, kept for a reload: in this tab only, by office and form. */
export interface SavedDraft {
  draft: FormDraft;
  /** The fields of the questionnaire that the editor does not show. */
  head: Record<string, unknown>;
  /** The version it was edited from; 0 for a new form. */
  editedFrom: number;
}

const keyOf = (officeId: string, formType: string) => `form-editor.${officeId}.${formType}`;

export function readSavedDraft(officeId: string, formType: string): SavedDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(officeId, formType)) ?? 'null') as SavedDraft | null;
  } catch {
    return null;
  }
}

/** Null discards it. A browser whose storage is full or switched off keeps nothing; the open editor still has everything. */
export function keepDraft(officeId: string, formType: string, saved: SavedDraft | null): void {
  try {
    if (saved) sessionStorage.setItem(keyOf(officeId, formType), JSON.stringify(saved));
    else sessionStorage.removeItem(keyOf(officeId, formType));
  } catch {
    // Nothing else can be done.
  }
}
