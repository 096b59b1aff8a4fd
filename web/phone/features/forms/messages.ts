import { addMessages } from '#web/kit/i18n.ts';
import { catalogs as ofQuestions } from '#web/questionnaire/messages.ts';

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the forms and of their questions; resolves when they can be shown. */
export async function loadMessages(): Promise<void> {
  await Promise.all([addMessages(catalogs), addMessages(ofQuestions)]);
}
