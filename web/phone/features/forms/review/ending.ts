import { addMessages } from '#web/kit/i18n.ts';

/** What may follow the last page: the choice between two versions of a form, or its confirmation. */
export { Conflict } from './conflict.tsx';
export { FormDone as Done } from './done.tsx';
export { FormGone } from './form-gone.tsx';
export { submitForm } from './submit-form.ts';

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of both; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
