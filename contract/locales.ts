/** Apart from the shapes, which need zod: the phone loads this with its first file. */
export { locales } from '#questionnaire/language.ts';
