import { forgetPicture } from './kept-pictures.ts';

/** A message that the server has not confirmed: a reload loses none, and the tab forgets them when it closes. */
export interface SavedUnsent {
  clientId: string;
  body: string;
  /** It is among the kept pictures, by the message's id. */
  hasPicture: boolean;
  /** The server's answer if it refused the message: then it waits for the visitor. */
  refused: { status: number; body: Record<string, unknown> } | null;
}

const keyOf = (npi: string) => `anteroom.unsent.${npi}`;

export function savedUnsent(npi: string): SavedUnsent[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(npi)) ?? '[]') as SavedUnsent[];
  } catch {
    return [];
  }
}

export function saveUnsent(npi: string, unsent: SavedUnsent[]): void {
  try {
    if (unsent.length === 0) sessionStorage.removeItem(keyOf(npi));
    else sessionStorage.setItem(keyOf(npi), JSON.stringify(unsent));
  } catch {
    // Storage is blocked: the messages last as long as the page.
  }
}

/** Forgets all of them, with their pictures. */
export function forgetUnsent(npi: string): void {
  for (const { clientId, hasPicture } of savedUnsent(npi)) if (hasPicture) void forgetPicture(clientId);
  saveUnsent(npi, []);
}
