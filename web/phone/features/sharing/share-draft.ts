import { useState } from 'react';
import { shareHours } from '#contract/sharing.ts';
import { noteUnsaved } from '#web/phone/ui/unsaved.ts';

export interface FormToShare {
  submissionId: string;
  formName: string;
  /** Whose form it is. */
  name: string;
}

export interface ShareDraft {
  /** Submission ids. */
  chosen: string[];
  sharedWith: string;
  hours: number;
}

/** The entries, as long as this page is open: they outlive a look at the visit and a failed request. */
let savedDraft: { token: string; draft: ShareDraft } | null = null;

const holder = 'a link being created';

export function dropShareDraft(): void {
  savedDraft = null;
  noteUnsaved(holder, false);
}

export function useShareDraft(token: string, forms: FormToShare[]) {
  const [draft, setDraft] = useState(() => (savedDraft?.token === token ? savedDraft.draft : emptyDraft(forms)));
  const chosen = draft.chosen.filter((id) => forms.some(({ submissionId }) => submissionId === id));
  const change = (part: Partial<ShareDraft>) => {
    const changed = { ...draft, ...part };
    savedDraft = { token, draft: changed };
    noteUnsaved(holder, true);
    setDraft(changed);
  };
  return { draft: { ...draft, chosen }, change };
}

/** A single form is chosen already; of several the patient chooses. */
function emptyDraft(forms: FormToShare[]): ShareDraft {
  const chosen = forms.length === 1 ? forms.map(({ submissionId }) => submissionId) : [];
  return { chosen, sharedWith: '', hours: shareHours.default };
}
