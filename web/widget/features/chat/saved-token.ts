/** Tokens of this page: a browser may refuse storage to a frame on another website. */
const inMemory = new Map<string, string>();
const keyOf = (npi: string) => `anteroom.chat.${npi}`;

/** The token of the visitor's running chat with a practice; null without one. Browsers give a frame a storage of its own on each website. */
export function savedToken(npi: string): string | null {
  try {
    return localStorage.getItem(keyOf(npi)) ?? inMemory.get(npi) ?? null;
  } catch {
    return inMemory.get(npi) ?? null;
  }
}

/** Saves the token, or forgets it. */
export function saveToken(npi: string, token: string | null): void {
  if (token === null) inMemory.delete(npi);
  else inMemory.set(npi, token);
  try {
    if (token === null) localStorage.removeItem(keyOf(npi));
    else localStorage.setItem(keyOf(npi), token);
  } catch {
    // Storage is blocked: the chat lasts as long as the page.
  }
}
