import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';

export { locales } from '#questionnaire/language/language.ts';

export const languages = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof languages;
type Catalogue = { messages: Messages };

const storageKey = 'anteroom.language';
let catalogues: Record<Language, () => Catalogue | Promise<Catalogue>>;

const isLanguage = (value: unknown): value is Language => typeof value === 'string' && value in languages;

function savedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** The person's own setting, else this machine's choice, else the browser's language, else English. */
function pickLanguage(ofPerson?: string | null): Language {
  const browserLanguages = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return [ofPerson, savedLanguage(), ...browserLanguages].find(isLanguage) ?? 'en';
}

/** Registers the page's catalogs and loads the first language. Render after it resolves, so that no text flashes. */
export async function startMessages(given: typeof catalogues, ofPerson?: string | null): Promise<void> {
  catalogues = given;
  await showLanguage(pickLanguage(ofPerson));
}

/** Messages of lazily loaded pages, in addition to the page's own. */
const later: (typeof catalogues)[] = [];

/** Adds the messages of a lazily loaded page; render the page after this resolves. */
export async function addMessages(given: typeof catalogues): Promise<void> {
  const isNew = !later.includes(given);
  if (isNew) later.push(given);
  try {
    // The language may change while they load.
    let language: Language;
    do {
      language = i18n.locale as Language;
      const { messages } = await given[language]();
      i18n.load(language, messages);
    } while (language !== i18n.locale);
  } catch (error) {
    if (isNew) later.splice(later.indexOf(given), 1);
    throw error;
  }
}

let chosen: Language | null = null;

async function showLanguage(language: Language, isChosen = false): Promise<void> {
  let all: Catalogue[] = [];
  // Messages added in the meantime have to be loaded too.
  while (all.length < later.length + 1)
    all = await Promise.all([catalogues, ...later].map(async (known) => known[language]()));
  const messages = Object.assign({}, ...all.map((known) => known.messages)) as Messages;
  // Before the page renders again, so that it finds the choice.
  if (isChosen) chosen = language;
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** The language chosen on this page since it was opened; null if none was. */
export const chosenLanguage = (): Language | null => chosen;

/** Shows another language and stores it on this machine. */
export async function setLanguage(language: Language): Promise<void> {
  await showLanguage(language, true);
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Storage is disabled: the choice applies to this page only.
  }
}

/** The language on screen; renders again when it changes. */
export function useLanguage(): Language {
  const { i18n: shown } = useLingui();
  return shown.locale as Language;
}
