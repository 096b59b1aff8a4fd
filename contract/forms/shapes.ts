/**
 * Forms: filled on the phone, read at the desk, kept as data and as a PDF.
 *
 * form type: which form it is (`insurance-card`); its definition is a FHIR R4 Questionnaire of which every version is kept.
 * draft: a form that is being filled, saved at each step; two phones on one draft see each other by its `version`.
 * submission: a form that was found complete by the server and filed; a later one of the same form amends it.
 * object key: where the PDF lies in the file store. It holds no name of a person.
 */
import * as z from 'zod/mini';
import { Instant } from '#contract/shapes.ts';

export const FormType = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/));

/** Clear or Review by the answers of a screening; null for forms that screen nothing. */
export const FormOutcome = z.nullable(z.enum(['clear', 'review']));

/** A short-lived address that opens one PDF. */
export const FormUrl = z.object({ url: z.string(), fileName: z.string(), expiresAt: Instant });
export type FormUrl = z.output<typeof FormUrl>;
