import { addMessages } from '#web/kit/i18n.ts';
import { OfficeClosed, OfficeNotFound, PageNotFound } from './office-notices.tsx';
import { WelcomeBack } from './welcome-back.tsx';

export const notices = { OfficeClosed, OfficeNotFound, PageNotFound, WelcomeBack };

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the notices; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
