/**
 * Forms: filled on the phone, read at the desk, stored as data and as a PDF.
 *
 * form type: which form it is (`insurance-card`). Its definition is a FHIR R4 Questionnaire; every version is kept.
 * draft: a form being filled, saved at each step; its `version` detects two phones editing the same draft.
 * submission: a form that the server found complete and filed; a later one of the same form amends it.
 * object key: the PDF's key in the file store. It contains no name of a person.
 */
import * as z from 'zod/mini';
import { Instant } from '#contract/shapes.ts';

export const FormType = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/));

/** The built-in form whose outcome is called COVID Clear or COVID Review. */
export const covidScreening = 'covid-screening';

/** The result of a screening, from its answers; null for forms that screen nothing. */
export const FormOutcome = z.nullable(z.enum(['clear', 'review']));
export type FormOutcome = z.output<typeof FormOutcome>;

/** A short-lived URL that opens one PDF. */
export const FormUrl = z.object({ url: z.string(), fileName: z.string(), expiresAt: Instant });
export type FormUrl = z.output<typeof FormUrl>;
