import { addMessages } from '#web/kit/i18n.ts';
import { catalogs as ofQuestions, laterCatalogs } from '#web/questionnaire/locales/catalogs.ts';

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the list of forms and of the pages around a form's questions; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);

/** Loads the texts of the questions; resolves when they can be shown. */
export const loadQuestionMessages = (): Promise<void> => addMessages(ofQuestions);

/** Loads the texts of answers that few forms ask for, and of what follows a form's first page. */
export const loadLaterMessages = (): Promise<unknown> => Promise.all(laterCatalogs.map(addMessages));
