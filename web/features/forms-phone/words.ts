import { addWords } from '#web/kit/i18n.ts';

export const catalogues = {
  en: () => import('#web/locales/forms/en.po'),
  es: () => import('#web/locales/forms/es.po'),
};

/** The words of the forms, fetched with them; resolves when they can be said. */
export const loadWords = (): Promise<void> => addWords(catalogues);
