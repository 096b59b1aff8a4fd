/** Which forms an office can use, which of them it asks for, and how it loads its own. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FormType } from './shapes.ts';

const Name = z.object({ en: z.string(), es: z.string() });

/** One setting of `features.globalFormsEnabled.forms`. */
export const FormSetting = z.object({
  enabled: z.boolean(),
  type: FormType,
  /** Of the ambulatory mode: the day after the visit it is asked on. Null: asked at check-in. */
  day: z.nullable(z.int().check(z.minimum(0), z.maximum(365))),
  visibleName: z.object({ en: z.string().check(z.maxLength(80)), es: z.string().check(z.maxLength(80)) }),
});
export type FormSetting = z.output<typeof FormSetting>;

/** What a new practice asks for. What a visit needs to be ready follows from what its practice asks for. */
export const formsOfNewPractice: readonly FormSetting[] = (
  [
    ['insurance-card', 'Insurance Card', 'Tarjeta del seguro'],
    ['photo-id', 'Photo ID', 'Identificación'],
    ['health-history', 'Health History', 'Historia clínica'],
    ['consent', 'Consent', 'Consentimiento'],
  ] as const
).map(([type, en, es]) => ({ enabled: true, type, day: null, visibleName: { en, es } }));

/** What an office can ask, and whether it does. */
export const KnownForm = z.object({
  id: z.uuid(),
  formType: FormType,
  version: z.int(),
  name: Name,
  /** Loaded by this office; the others are built in. */
  own: z.boolean(),
});
export type KnownForm = z.output<typeof KnownForm>;

const FormSettings = z.object({
  known: z.array(KnownForm),
  /** What the office asks for, in its order. */
  forms: z.array(FormSetting),
  /** The office's own forms that are out of use, each in its newest version. */
  removed: z.array(KnownForm),
});
export type FormSettings = z.output<typeof FormSettings>;

export const readFormSettings = endpoint({
  method: 'GET',
  path: '/office/forms',
  summary: 'Every form the office can use, and which of them it asks for',
  access: 'office',
  reply: FormSettings,
});

export const saveFormSettings = endpoint({
  method: 'PUT',
  path: '/office/forms',
  summary:
    'Which forms the office asks for, in their order; the queue shows them at once. A form without a visible name gets its own',
  access: 'office',
  audit: 'settings.change',
  body: z.object({ forms: z.array(FormSetting).check(z.maxLength(60)) }),
  reply: FormSettings,
  refusals: ['form_not_found', 'limited_questionnaires'],
});

export const FormFinding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  /** Where in the file, as `item[2].enableWhen[0]`; empty for the whole of it. */
  place: z.string(),
  detail: z.nullable(z.string()),
});
export type FormFinding = z.output<typeof FormFinding>;

/** The longest file that is taken, in characters. */
export const longestForm = 1_400_000;

/** What was found in a file, and what it became. */
export const LoadedForm = z.object({
  /** Null when it cannot be used, or was only checked. */
  form: z.nullable(KnownForm),
  findings: z.array(FormFinding),
  /** What it is, or would be once it is loaded; null when it cannot be used. */
  becomes: z.nullable(
    z.object({
      formType: FormType,
      version: z.int(),
      name: Name,
      /** What is in use of that type. The same version: this very questionnaire, and loading it changes nothing. */
      replaces: z.nullable(KnownForm),
    }),
  ),
});
export type LoadedForm = z.output<typeof LoadedForm>;

export const loadForm = endpoint({
  method: 'POST',
  path: '/office/forms',
  summary:
    'Loads a published questionnaire for this office; with `check` it only says what is wrong with it. A new one of a known type is its next version',
  access: 'office',
  audit: 'form.load',
  body: z.object({
    /** The file's text: a FHIR R4 Questionnaire as JSON. */
    text: z.string().check(z.minLength(1), z.maxLength(longestForm)),
    check: z.optional(z.boolean()),
    /** The form it is to be the next version of; else its own id or name says so. */
    formType: z.optional(FormType),
  }),
  reply: LoadedForm,
  refusals: ['too_many_tries', 'overloaded', 'limited_questionnaires'],
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

export const chooseFormVersion = endpoint({
  method: 'PUT',
  path: '/office/forms/own/:formType',
  summary:
    'Up to which version an own form is in use: an earlier one takes a replacement back, 0 removes the form (what comes with the house, if anything, is used again). What was begun or filed stays',
  access: 'office',
  audit: 'form.use',
  params: z.object({ formType: FormType }),
  body: z.object({ version: z.int().check(z.minimum(0), z.maximum(1_000_000)) }),
  reply: FormSettings,
  refusals: ['form_not_found', 'form_in_use', 'limited_questionnaires'],
});
