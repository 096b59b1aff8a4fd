/** What the visitor is writing. In memory only, so that it stays when the chat ends and starts again. */
let draft = '';

export const savedDraft = (): string => draft;

export function saveDraft(words: string): void {
  draft = words;
}

/** Puts words that were not sent before the draft. */
export function keepWords(unsent: string[]): void {
  draft = [...unsent, draft].filter((words) => words !== '').join('\n');
}
