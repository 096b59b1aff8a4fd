/** The forms an office can use, which of them it asks for, and how it loads its own. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FormType } from './shapes.ts';

const Name = z.object({ en: z.string(), es: z.string() });

/** One setting of `features.globalFormsEnabled.forms`. */
export const FormSetting = z.object({
  enabled: z.boolean(),
  type: FormType,
  /** For ambulatory mode: how many days after the visit it is asked. Null: asked at check-in. */
  day: z.nullable(z.int().check(z.minimum(0), z.maximum(365))),
  visibleName: z.object({ en: z.string().check(z.maxLength(80)), es: z.string().check(z.maxLength(80)) }),
});
export type FormSetting = z.output<typeof FormSetting>;

/** The forms a new practice asks for. A visit is ready when the forms its practice asks for are done. */
export const formsOfNewPractice: readonly FormSetting[] = (
  [
    ['insurance-card', 'Insurance Card', 'Tarjeta del seguro'],
    ['photo-id', 'Photo ID', 'Identificación'],
    ['health-history', 'Health History', 'Historia clínica'],
    ['consent', 'Consent', 'Consentimiento'],
  ] as const
).map(([type, en, es]) => ({ enabled: true, type, day: null, visibleName: { en, es } }));

/** A form an office can ask for, and whether it does. */
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
  /** The forms the office asks for, in its order. */
  forms: z.array(FormSetting),
  /** The newest version of each of the office's own forms that it removed. */
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
    'Sets the forms the office asks for, in order; the queue shows them at once. A form without a visible name gets its own',
  access: 'office',
  audit: 'settings.change',
  body: z.object({ forms: z.array(FormSetting).check(z.maxLength(60)) }),
  reply: FormSettings,
  refusals: ['form_not_found', 'limited_questionnaires'],
});

export const FormFinding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  /** The position in the file, such as `item[2].enableWhen[0]`; empty for the whole file. */
  place: z.string(),
  /** What the message names: a type, a number, an address. */
  detail: z.nullable(z.string()),
  /** The item it is about; null for the whole file, and for an item without a linkId. */
  linkId: z.nullable(z.string()),
  /** The item's text, cut to 200 characters. */
  words: z.nullable(z.string()),
  /** The expression it is about, cut to 200 characters. */
  expression: z.nullable(z.string()),
  /** What the file lacks: a code system, another value set, something that can be evaluated. */
  cause: z.nullable(z.string()),
});
export type FormFinding = z.output<typeof FormFinding>;

/** The longest accepted file, in characters. */
export const maxFormLength = 1_400_000;

/** The findings in a file, and the form it became. */
export const LoadedForm = z.object({
  /** Null if it cannot be used, or was only checked. */
  form: z.nullable(KnownForm),
  /** Errors first, then in the order of the file: at most 200. */
  findings: z.array(FormFinding),
  /** The form it is, or would be once loaded; null if it cannot be used. */
  becomes: z.nullable(
    z.object({
      formType: FormType,
      version: z.int(),
      name: Name,
      /** The form of that type now in use. If it has the same version, it is this very questionnaire, and loading it changes nothing. */
      replaces: z.nullable(KnownForm),
    }),
  ),
});
export type LoadedForm = z.output<typeof LoadedForm>;

export const loadForm = endpoint({
  method: 'POST',
  path: '/office/forms',
  summary:
    'Loads a published questionnaire for this office; with `check` it only reports problems. A questionnaire of a known type becomes its next version',
  access: 'office',
  audit: 'form.load',
  body: z.object({
    /** The file's text: a FHIR R4 Questionnaire as JSON. */
    text: z.string().check(z.minLength(1), z.maxLength(maxFormLength)),
    check: z.optional(z.boolean()),
    /** The form it is the next version of; without it, its own id or name decides. */
    formType: z.optional(FormType),
    /** The version it was edited from, 0 for a new form. If another version is in use now, it is refused. */
    editedFrom: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
  }),
  reply: LoadedForm,
  refusals: ['too_many_tries', 'overloaded', 'limited_questionnaires', 'form_edited_meanwhile'],
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
    'Sets the version of an own form that is in use: an earlier one undoes a replacement, 0 removes the form (the built-in form, if any, is used again). Drafts and submissions stay',
  access: 'office',
  audit: 'form.use',
  params: z.object({ formType: FormType }),
  body: z.object({ version: z.int().check(z.minimum(0), z.maximum(1_000_000)) }),
  reply: FormSettings,
  refusals: ['form_not_found', 'form_in_use', 'limited_questionnaires'],
});
