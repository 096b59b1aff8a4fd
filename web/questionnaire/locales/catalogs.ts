import type { Messages } from '@lingui/core';
import type { Language } from '#contract/shapes.ts';

/** The texts that every form's first page may show, in their own catalog: the panel's preview shows them in the patient's language. */
export const catalogs = {
  en: () => import('./en.po'),
  es: () => import('./es.po'),
};

/** The texts of answers that few forms ask for, and of what follows the first page. */
export const laterCatalogs = [
  {
    en: () => import('#web/questionnaire/answers/locales/en.po'),
    es: () => import('#web/questionnaire/answers/locales/es.po'),
  },
  {
    en: () => import('#web/questionnaire/review/locales/en.po'),
    es: () => import('#web/questionnaire/review/locales/es.po'),
  },
];

/** All texts of a form in one language. */
export async function loadAllMessages(language: Language): Promise<Messages> {
  const loaded = await Promise.all([catalogs, ...laterCatalogs].map((catalog) => catalog[language]()));
  return Object.assign({}, ...loaded.map(({ messages }) => messages)) as Messages;
}
