import { addMessages } from '#web/kit/i18n.ts';

export { LinkTexted } from './link-texted.tsx';

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the notice; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
