/** The texts of the questions, in their own catalog: the panel's preview shows them in the patient's language. */
export const catalogs = {
  en: () => import('./en.po'),
  es: () => import('./es.po'),
};
