import { addMessages } from '#web/kit/i18n.ts';

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the pages after surgery; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
