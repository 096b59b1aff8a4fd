/** What the visitor is writing. A reload keeps it; the tab forgets it when it closes. */
let draft: string | undefined;

const keyOf = (npi: string) => `anteroom.draft.${npi}`;

export function savedDraft(npi: string): string {
  draft ??= storedDraft(npi);
  return draft;
}

export function saveDraft(npi: string, words: string): void {
  draft = words;
  store(npi, words);
}

/**
 * Puts words that were not sent before the draft. The chat has ended: the next one on this page gets them, and nothing stays in the browser
 * without a chat.
 */
export function keepWords(npi: string, unsent: string[]): void {
  draft = [...unsent, savedDraft(npi)].filter((words) => words !== '').join('\n');
  store(npi, '');
}

function storedDraft(npi: string): string {
  try {
    return sessionStorage.getItem(keyOf(npi)) ?? '';
  } catch {
    return '';
  }
}

function store(npi: string, words: string): void {
  try {
    if (words === '') sessionStorage.removeItem(keyOf(npi));
    else sessionStorage.setItem(keyOf(npi), words);
  } catch {
    // Storage is blocked: the words last as long as the page.
  }
}
