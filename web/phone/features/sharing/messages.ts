import { addMessages } from '#web/kit/i18n.ts';

const catalogs = {
  en: () => import('#web/phone/features/sharing/locales/en.po'),
  es: () => import('#web/phone/features/sharing/locales/es.po'),
};

/** The words of sharing, fetched with it; resolves when they can be said. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
