/** The languages that titles, texts and messages of a form come in. */
export type Language = 'en' | 'es';

/** A text in each of them. */
export type Translations = Record<Language, string>;
