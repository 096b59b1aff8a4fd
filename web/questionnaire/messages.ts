/** The texts of the questions, in their own catalog: the panel's preview shows them in the patient's language. */
export const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};
