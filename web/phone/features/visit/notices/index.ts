import { addMessages } from '#web/kit/i18n.ts';
import { Leaving } from './leaving.tsx';
import { HiddenPayment, HiddenTexts, StatusOnly } from './status-only.tsx';
import { LinkEnded, VisitOver } from './visit-over.tsx';

export const notices = { HiddenPayment, HiddenTexts, Leaving, LinkEnded, StatusOnly, VisitOver };

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the notices; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
