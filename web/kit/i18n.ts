import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';

export const languages = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof languages;
type Catalogue = { messages: Messages };

const storageKey = 'anteroom.language';
let catalogues: Record<Language, () => Catalogue | Promise<Catalogue>>;

const isLanguage = (value: unknown): value is Language => typeof value === 'string' && value in languages;

function saved(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** The person's own setting, else what was chosen on this machine, else what the browser asks for, else English. */
export function pickLanguage(ofPerson?: string | null): Language {
  const asked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return [ofPerson, saved(), ...asked].find(isLanguage) ?? 'en';
}

/** Gives this page its catalogues and starts the language to show. Render after it resolved: then no word flashes. */
export async function startWords(given: typeof catalogues, ofPerson?: string | null): Promise<void> {
  catalogues = given;
  await show(pickLanguage(ofPerson));
}

async function show(language: Language): Promise<void> {
  const { messages } = await catalogues[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Shows another language and remembers it on this machine. */
export async function setLanguage(language: Language): Promise<void> {
  await show(language);
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}

/** The language on screen; renders again when it changes. */
export function useLanguage(): Language {
  const { i18n: shown } = useLingui();
  return shown.locale as Language;
}
