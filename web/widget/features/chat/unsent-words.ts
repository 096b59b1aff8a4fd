/** Words on their way to the practice, until the server has them: a reload in that moment loses nothing. The tab forgets them when it closes. */
export interface UnsentWords {
  clientId: string;
  body: string;
}

const keyOf = (npi: string) => `anteroom.unsent.${npi}`;

export function savedUnsent(npi: string): UnsentWords[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(npi)) ?? '[]') as UnsentWords[];
  } catch {
    return [];
  }
}

export function saveUnsent(npi: string, unsent: UnsentWords[]): void {
  try {
    if (unsent.length === 0) sessionStorage.removeItem(keyOf(npi));
    else sessionStorage.setItem(keyOf(npi), JSON.stringify(unsent));
  } catch {
    // Storage is blocked: the words last as long as the page.
  }
}
