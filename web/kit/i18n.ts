import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';

export const languages = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof languages;
/** For `Intl`: both languages as they are written in the United States. */
export const locales: Record<Language, string> = { en: 'en-US', es: 'es-US' };
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
function pickLanguage(ofPerson?: string | null): Language {
  const asked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return [ofPerson, saved(), ...asked].find(isLanguage) ?? 'en';
}

/** Gives this page its catalogues and starts the language to show. Render after it resolved: then no word flashes. */
export async function startMessages(given: typeof catalogues, ofPerson?: string | null): Promise<void> {
  catalogues = given;
  await show(pickLanguage(ofPerson));
}

/** Words of rooms that came later, beside the page's own. */
const later: (typeof catalogues)[] = [];

/** Adds the words of a room that is fetched by itself; render it after this resolved. */
export async function addMessages(given: typeof catalogues): Promise<void> {
  const isNew = !later.includes(given);
  if (isNew) later.push(given);
  try {
    // Another language may be chosen while they are on their way.
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

async function show(language: Language): Promise<void> {
  let all: Catalogue[] = [];
  // Words that are asked for meanwhile belong to it too.
  while (all.length < later.length + 1)
    all = await Promise.all([catalogues, ...later].map(async (known) => known[language]()));
  const messages = Object.assign({}, ...all.map((known) => known.messages)) as Messages;
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

let chosen: Language | null = null;

/** The language chosen on this page since it was opened; null when none was. */
export const chosenLanguage = (): Language | null => chosen;

/** Shows another language and remembers it on this machine. */
export async function setLanguage(language: Language): Promise<void> {
  await show(language);
  chosen = language;
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
