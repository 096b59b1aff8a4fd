/** The languages that titles, texts and messages of a form come in. */
export type Language = 'en' | 'es';

/** A text in each of them. */
export type Translations = Record<Language, string>;

/** Locales for `Intl`: both languages as used in the United States. */
export const locales = { en: 'en-US', es: 'es-US' } as const satisfies Record<Language, string>;
