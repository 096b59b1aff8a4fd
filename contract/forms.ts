/**
 * Forms: filled on the phone, read at the desk, kept as data and as a PDF.
 *
 * form type: which form it is (`insurance-card`); its definition is a FHIR R4 Questionnaire of which every version is kept.
 * draft: a form that is being filled, saved at each step; two phones on one draft see each other by its `version`.
 * submission: a form that was found complete by the server and filed; a later one of the same form amends it.
 * object key: where the PDF lies in the file store. It holds no name of a person.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Npi } from './queue.ts';

const Instant = z.iso.datetime();
const Token = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/));
export const FormType = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/));
const ObjectKey = z.string().check(z.minLength(1), z.maxLength(200));
const Words = z.object({ en: z.string(), es: z.string() });

/** Clear or Review by the answers of a screening; null for forms that screen nothing. */
export const FormOutcome = z.nullable(z.enum(['clear', 'review']));

/** One setting of `features.globalFormsEnabled.forms`. */
export const FormSetting = z.object({
  enabled: z.boolean(),
  type: FormType,
  /** Of the ambulatory mode: the day after the visit it is asked on. Null: asked at check-in. */
  day: z.nullable(z.int().check(z.minimum(0), z.maximum(365))),
  visibleName: z.object({ en: z.string().check(z.maxLength(80)), es: z.string().check(z.maxLength(80)) }),
});
export type FormSetting = z.output<typeof FormSetting>;

// The patient's side: by the visit's token.

export const formStates = ['missing', 'draft', 'submitted'] as const;

/** A form of one family member as the phone lists it. */
export const VisitForm = z.object({
  formType: FormType,
  /** In the visit's language. */
  formName: z.string(),
  definitionId: z.uuid(),
  formVersion: z.int(),
  state: z.enum(formStates),
  /** Of the draft; 0 when there is none. */
  version: z.int(),
  savedAt: z.nullable(Instant),
  /** The valid submission, also while an amendment is a draft. */
  submissionId: z.nullable(z.uuid()),
  completedAt: z.nullable(Instant),
});
export type VisitForm = z.output<typeof VisitForm>;

export const VisitForms = z.object({
  /** The form the office asked for with this very link. */
  asked: z.nullable(FormType),
  members: z.array(z.object({ memberId: z.uuid(), name: z.string(), forms: z.array(VisitForm) })),
});
export type VisitForms = z.output<typeof VisitForms>;

const OfVisit = z.object({ token: Token });
const OfForm = z.object({ token: Token, memberId: z.uuid(), formType: FormType });

export const listVisitForms = endpoint({
  method: 'GET',
  path: '/visit/:token/forms',
  summary: "Which forms this visit's family members need, and how far each is",
  access: 'visit',
  audit: 'form.list-by-patient',
  params: OfVisit,
  reply: VisitForms,
});

/** The flat answers of contract/forms (`Answers`). What is filed is a FHIR R4 QuestionnaireResponse. */
export const FormAnswers = z.record(z.string().check(z.maxLength(400)), z.array(z.unknown()).check(z.maxLength(300)));

/** A form with what is in it so far. */
export const OpenForm = z.extend(VisitForm, {
  /** FHIR R4 Questionnaire: `readQuestionnaire` of contract/forms reads it. */
  questionnaire: z.unknown(),
  /** Of the draft, else of the submission; null when nothing was answered yet. */
  answers: z.nullable(FormAnswers),
  /** The page the patient was on. */
  page: z.int(),
});
export type OpenForm = z.output<typeof OpenForm>;

export const readVisitForm = endpoint({
  method: 'GET',
  path: '/visit/:token/forms/:memberId/:formType',
  summary: 'One form with its questionnaire and what was answered so far',
  access: 'visit',
  audit: 'form.read-by-patient',
  params: OfForm,
  reply: OpenForm,
  refusals: ['form_not_found'],
});

/** What stands in the draft now: the answer to a save, and what a 409 carries. */
export const FormDraft = z.object({
  definitionId: z.uuid(),
  version: z.int(),
  page: z.int(),
  savedAt: z.nullable(Instant),
  answers: z.nullable(FormAnswers),
});
export type FormDraft = z.output<typeof FormDraft>;

export const saveVisitForm = endpoint({
  method: 'PUT',
  path: '/visit/:token/forms/:memberId/:formType',
  summary:
    'Saves a step of a form. `version` is the one the phone saw (0: none): the same step again changes nothing, another phone’s step in between is a 409 with what is there',
  access: 'visit',
  audit: 'form.save',
  params: OfForm,
  body: z.object({
    definitionId: z.uuid(),
    version: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
    page: z.int().check(z.minimum(0), z.maximum(10_000)),
    /** Possibly incomplete; also of questions that are hidden just now. */
    answers: FormAnswers,
    /** The form was submitted already and is to be changed: without this a 409. */
    amend: z.optional(z.boolean()),
  }),
  reply: FormDraft,
  refusals: ['form_not_found', 'form_changed', 'form_submitted', 'form_outdated', 'answers_unreadable'],
});

export const submitVisitForm = endpoint({
  method: 'POST',
  path: '/visit/:token/forms/:memberId/:formType/submit',
  summary:
    'Files a form: the server decides whether it is complete (a 422 carries the problems), makes its PDF, keeps both. Twice is once',
  access: 'visit',
  audit: 'form.submit',
  params: OfForm,
  body: z.object({ version: z.int().check(z.minimum(0), z.maximum(1_000_000_000)) }),
  reply: z.object({ submissionId: z.uuid(), formName: z.string(), completedAt: Instant, outcome: FormOutcome }),
  refusals: ['form_not_found', 'form_changed', 'form_outdated', 'form_incomplete', 'files_away', 'too_many_tries'],
});

/** The largest photo taken, in bytes. */
export const photoMaxBytes = 20_000_000;

export const uploadFormPhoto = endpoint({
  method: 'POST',
  path: '/visit/:token/form-files',
  summary:
    'Keeps a photo or a drawn signature of this visit: decoded, turned upright, stripped of what it tells of the phone',
  access: 'visit',
  audit: 'form.photo',
  params: OfVisit,
  query: z.object({ kind: z.optional(z.enum(['photo', 'signature'])) }),
  takes: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'application/octet-stream'],
  /** What a `valueAttachment` says of it: `url` is `url`. */
  reply: z.object({
    fileId: z.uuid(),
    url: z.string(),
    contentType: z.string(),
    size: z.int(),
    width: z.int(),
    height: z.int(),
  }),
  refusals: ['photo_too_large', 'photo_heic', 'photo_unreadable', 'too_many_tries', 'files_away', 'overloaded'],
});

export const readFormPhoto = endpoint({
  method: 'GET',
  path: '/visit/:token/form-files/:fileId',
  summary: 'A photo of this visit, to be shown again',
  access: 'visit',
  params: z.object({ token: Token, fileId: z.uuid() }),
  gives: 'image/*',
  reply: z.unknown(),
  refusals: ['not_found'],
});

/** A short-lived address that opens one PDF. */
export const FormUrl = z.object({ url: z.string(), fileName: z.string(), expiresAt: Instant });
export type FormUrl = z.output<typeof FormUrl>;

export const openVisitForm = endpoint({
  method: 'GET',
  path: '/visit/:token/forms/:memberId/:formType/pdf',
  summary: "The patient's own copy: a short-lived address of the PDF they submitted",
  access: 'visit',
  audit: 'form.open-by-patient',
  params: OfForm,
  reply: FormUrl,
  refusals: ['form_not_found', 'files_away'],
});

// The desk's side, by the names of the parts.

/** A submission in the lists of the desk (part 2's form submission item, and what our panel shows). */
export const FormItem = z.object({
  id: z.uuid(),
  objectKey: z.string(),
  patientName: z.string(),
  /** `FORM#` and the time it was completed. */
  sk: z.string(),
  completedAt: Instant,
  formType: z.string(),
  formName: z.string(),
  outcome: FormOutcome,
  /** It replaced an earlier one. */
  amended: z.boolean(),
  bytes: z.int(),
  visitId: z.uuid(),
});
export type FormItem = z.output<typeof FormItem>;

const Day = z.string().check(z.regex(/^(\d{4}-\d{2}-\d{2}|\d{8})$/));

export const formsPageSize = 10;

export const listFormPaths = endpoint({
  method: 'GET',
  path: '/onemd/api/v2/formpaths/',
  summary: 'The forms list: by name, days and type, newest first, ten a page',
  access: 'office',
  audit: 'forms.read',
  query: z.object({
    formType: z.optional(z.string().check(z.maxLength(64))),
    /** Days of the office as YYYY-MM-DD or MMDDYYYY, both ends included; later than today counts as today. */
    startDate: z.optional(Day),
    endDate: z.optional(Day),
    /** Beginnings of names, in any order; accents and case do not matter. */
    patientName: z.optional(z.string().check(z.maxLength(200))),
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
  }),
  reply: z.object({ forms: z.array(FormItem), total: z.int(), page: z.int(), pageSize: z.int() }),
});

export const listUserForms = endpoint({
  method: 'GET',
  path: '/forms/user',
  summary: "A patient's forms, family member by family member: of today's visit, else of the last one",
  access: 'office',
  audit: 'forms.read',
  query: z.object({ userCode: z.string().check(z.minLength(1), z.maxLength(64)), npi: z.optional(Npi) }),
  reply: z.array(
    z.object({
      name: z.string(),
      forms: z.array(
        z.object({
          ...FormItem.shape,
          /** Part 1's label: the date and Insurance Card, Photo ID, Health History, COVID Clear, COVID Review or Form. */
          label: z.string(),
        }),
      ),
    }),
  ),
  refusals: ['office_not_found', 'patient_not_found'],
});

export const listFormFiles = endpoint({
  method: 'GET',
  path: '/forms/list',
  summary:
    "The files of the office's forms below a prefix (`npi`, `npi/2026`, … of its own), newest first, 1,000 at most",
  access: 'office',
  audit: 'forms.read',
  query: z.object({ prefix: ObjectKey, bucket: z.optional(z.string().check(z.maxLength(64))) }),
  reply: z.array(z.object({ key: z.string(), date: Instant })),
  refusals: ['form_not_found'],
});

const ByKey = z.object({ key: ObjectKey, bucket: z.optional(z.string().check(z.maxLength(64))) });

export const readFormUrl = endpoint({
  method: 'GET',
  path: '/forms/form/url',
  summary: 'A short-lived address that shows one PDF',
  access: 'office',
  audit: 'form.open',
  query: ByKey,
  reply: FormUrl,
  refusals: ['form_not_found', 'files_away'],
});

export const downloadForm = endpoint({
  method: 'GET',
  path: '/forms/form/download',
  summary: 'One PDF',
  access: 'office',
  audit: 'form.download',
  query: ByKey,
  gives: 'application/pdf',
  reply: z.unknown(),
  refusals: ['form_not_found', 'files_away'],
});

/** So many at once; the list's Download All asks again for what is beyond. */
export const bulkMost = 2_000;

export const bulkDownloadForms = endpoint({
  method: 'POST',
  path: '/forms/bulk-download',
  summary: 'A zip of PDFs, streamed; its length is told beforehand',
  access: 'office',
  audit: 'forms.download',
  body: z.object({
    /** Object keys. */
    forms: z.array(ObjectKey).check(z.minLength(1), z.maxLength(bulkMost)),
    bucket: z.optional(z.string().check(z.maxLength(64))),
  }),
  gives: 'application/zip',
  reply: z.unknown(),
  refusals: ['form_not_found', 'files_away'],
});

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

export const askForForm = endpoint({
  method: 'POST',
  path: '/virtual-queue/visit/:visitId/ask-form',
  summary: 'Texts the patient a link that opens at exactly the form that is missing',
  access: 'office',
  audit: 'form.ask',
  creates: true,
  params: z.object({ visitId: z.uuid() }),
  body: z.object({ formType: FormType }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['visit_not_found', 'form_not_found', 'form_submitted', 'visit_moved_on'],
});
