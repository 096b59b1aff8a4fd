import { addMessages } from '#web/kit/i18n.ts';

export { TextMeTheLink } from './text-me-the-link.tsx';

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the button; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
