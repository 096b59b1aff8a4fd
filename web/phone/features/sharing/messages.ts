import { addMessages } from '#web/kit/i18n.ts';

const catalogs = {
  en: () => import('#web/phone/features/sharing/locales/en.po'),
  es: () => import('#web/phone/features/sharing/locales/es.po'),
};

/** Loads the messages of sharing; resolves when they are active. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
