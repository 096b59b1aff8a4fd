/** Which forms an office can use, which of them it asks for, and how it loads its own. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { FormType } from './forms.ts';

const Words = z.object({ en: z.string(), es: z.string() });

/** One setting of `features.globalFormsEnabled.forms`. */
export const FormSetting = z.object({
  enabled: z.boolean(),
  type: FormType,
  /** Of the ambulatory mode: the day after the visit it is asked on. Null: asked at check-in. */
  day: z.nullable(z.int().check(z.minimum(0), z.maximum(365))),
  visibleName: z.object({ en: z.string().check(z.maxLength(80)), es: z.string().check(z.maxLength(80)) }),
});
export type FormSetting = z.output<typeof FormSetting>;

/** What an office can ask, and whether it does. */
export const KnownForm = z.object({
  id: z.uuid(),
  formType: FormType,
  version: z.int(),
  name: Words,
  /** Loaded by this office; the others are built in. */
  own: z.boolean(),
});
export type KnownForm = z.output<typeof KnownForm>;

export const readFormSettings = endpoint({
  method: 'GET',
  path: '/office/forms',
  summary: 'Every form the office can use, and which of them it asks for',
  access: 'office',
  reply: z.object({ known: z.array(KnownForm), forms: z.array(FormSetting) }),
});

export const saveFormSettings = endpoint({
  method: 'PUT',
  path: '/office/forms',
  summary: 'Which forms the office asks for, in their order; the queue shows them at once',
  access: 'office',
  audit: 'settings.change',
  body: z.object({ forms: z.array(FormSetting).check(z.maxLength(60)) }),
  reply: z.object({ known: z.array(KnownForm), forms: z.array(FormSetting) }),
  refusals: ['form_not_found'],
});

export const FormFinding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  place: z.string(),
  detail: z.nullable(z.string()),
});

export const loadForm = endpoint({
  method: 'POST',
  path: '/office/forms',
  summary:
    'Loads a published questionnaire for this office; with `check` it only says what is wrong with it. A new one of a known type is its next version',
  access: 'office',
  audit: 'form.load',
  body: z.object({
    /** The file's text: a FHIR R4 Questionnaire as JSON. */
    text: z.string().check(z.minLength(1), z.maxLength(1_400_000)),
    check: z.optional(z.boolean()),
  }),
  reply: z.object({
    /** Null when it cannot be used, or was only checked. */
    form: z.nullable(KnownForm),
    findings: z.array(FormFinding),
  }),
});

export const readForm = endpoint({
  method: 'GET',
  path: '/office/forms/definition/:definitionId',
  summary: 'One definition, to preview it as the patient sees it',
  access: 'office',
  params: z.object({ definitionId: z.uuid() }),
  reply: z.object({ ...KnownForm.shape, questionnaire: z.unknown() }),
  refusals: ['form_not_found'],
});
