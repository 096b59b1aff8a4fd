import { newKey } from '#web/kit/retry-until-answered.ts';
import { forgetPicture, keepPicture, keptPicture } from './kept-pictures.ts';

/** What the visitor is writing, and the picture that goes with it. A reload keeps both; the tab forgets them when it closes. */
let draftText: string | undefined;
let picture: File | null | undefined;

const keyOf = (npi: string) => `anteroom.draft.${npi}`;
const pictureKeyOf = (npi: string) => `anteroom.draft-picture.${npi}`;

export function savedDraft(npi: string): string {
  draftText ??= readStored(keyOf(npi));
  return draftText;
}

export function saveDraft(npi: string, changed: string): void {
  draftText = changed;
  store(keyOf(npi), changed);
}

/** The id of the picture that was attached, among the kept pictures; empty without one. */
export const savedDraftPictureId = (npi: string): string => readStored(pictureKeyOf(npi));

/** The picture that was attached; `lost` if the browser did not keep it. */
export async function savedDraftPicture(npi: string): Promise<File | 'lost' | null> {
  const id = readStored(pictureKeyOf(npi));
  if (picture === undefined && id !== '') return (await keptPicture(id)) ?? 'lost';
  return picture ?? null;
}

export function saveDraftPicture(npi: string, changed: File | null): void {
  picture = changed;
  forgetStoredPicture(npi);
  if (!changed) return;
  const id = newKey();
  store(pictureKeyOf(npi), id);
  void keepPicture(id, changed);
}

/**
 * Puts what was not sent before the draft. The chat has ended: the next one on this page gets it, and nothing stays in the browser without a
 * chat.
 */
export async function keepDraft(npi: string, unsent: { texts: string[]; picture: File | null }): Promise<void> {
  draftText = [...unsent.texts, savedDraft(npi)].filter((one) => one !== '').join('\n');
  store(keyOf(npi), '');
  const attached = await savedDraftPicture(npi);
  picture = unsent.picture ?? (attached === 'lost' ? null : attached);
  forgetStoredPicture(npi);
}

function forgetStoredPicture(npi: string): void {
  const id = readStored(pictureKeyOf(npi));
  if (id === '') return;
  store(pictureKeyOf(npi), '');
  void forgetPicture(id);
}

function readStored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function store(key: string, value: string): void {
  try {
    if (value === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked: the draft lasts as long as the page.
  }
}
