/** The desk's side of forms: the lists, the PDFs, and requesting a missing form. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant, Npi, ObjectKey } from '#contract/shapes.ts';
import { textRefusals } from '#contract/refusals/texts.ts';
import { FormOutcome, FormType, FormUrl } from './shapes.ts';
import { TextProblem, TextState } from '#contract/queue.ts';

/** A submission in the desk's lists. */
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

/** Empty means no filter. */
const Day = z.string().check(z.regex(/^(\d{4}-\d{2}-\d{2}|\d{8}|)$/));

export const formsPageSize = 10;

const DaysAndName = z.object({
  /** Days in the office's time zone as YYYY-MM-DD or MMDDYYYY, both included; a later day counts as today. */
  startDate: z.optional(Day),
  endDate: z.optional(Day),
  /** Beginnings of names, in any order; accents and case do not matter. */
  patientName: z.optional(z.string().check(z.maxLength(200))),
});
const FormsFilter = z.extend(DaysAndName, {
  formType: z.optional(z.string().check(z.maxLength(64))),
  /** The forms of one visit's whole family, whatever day or name they were filed under; the other filters do not apply. */
  visitId: z.optional(z.uuid()),
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
});
/** A submission in the forms list. The birthday tells apart two patients of the same name. */
export const ListedForm = z.extend(FormItem, { birthDate: z.nullable(z.iso.date()) });
export type ListedForm = z.output<typeof ListedForm>;

const FormsPage = z.object({ forms: z.array(ListedForm), total: z.int(), page: z.int(), pageSize: z.int() });

export const listFormPaths = endpoint({
  method: 'GET',
  path: '/onemd/api/v2/formpaths/',
  summary:
    'The forms list: by name, days and type, newest first, ten per page. It has the name in the URL: prefer POST /forms/search',
  access: 'office',
  etag: true,
  audit: 'forms.read',
  query: FormsFilter,
  reply: FormsPage,
});

export const searchForms = endpoint({
  method: 'POST',
  path: '/forms/search',
  summary: 'The forms list with the filter in the body: URLs are logged, and names must not be in them',
  access: 'office',
  etag: true,
  audit: 'forms.read',
  body: FormsFilter,
  reply: FormsPage,
});

export const countForms = endpoint({
  method: 'POST',
  path: '/forms/counts',
  summary: 'How many forms of each type the forms list has, for the same days and name',
  access: 'office',
  etag: true,
  audit: 'forms.read',
  body: DaysAndName,
  reply: z.object({ total: z.int(), types: z.array(z.object({ formType: z.string(), count: z.int() })) }),
});

/** The types with a label of their own; screenings are labeled by their outcome, every other form is labeled Form. */
export const labelledTypes = ['insurance-card', 'photo-id', 'health-history'] as const;

export const listUserForms = endpoint({
  method: 'GET',
  path: '/forms/user',
  summary:
    "A patient's forms, grouped by family member: of the visit in `dateTime`, else of today's newest, else of the last one with forms",
  access: 'office',
  audit: 'forms.read',
  query: z.object({
    userCode: z.string().check(z.minLength(1), z.maxLength(64)),
    npi: z.optional(Npi),
    /** A visit's createdAt, as in the queue. */
    dateTime: z.optional(Instant),
  }),
  reply: z.array(
    z.object({
      name: z.string(),
      forms: z.array(
        z.object({
          ...FormItem.shape,
          /** The label: the date and Insurance Card, Photo ID, Health History, COVID Clear, COVID Review or Form; a form of another type to review: "Review: {name}". */
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
  summary: "The office's form files under a prefix (`npi`, `npi/2026`, … of its own), newest first, at most 1,000",
  access: 'office',
  audit: 'forms.read',
  query: z.object({ prefix: ObjectKey, bucket: z.optional(z.string().check(z.maxLength(64))) }),
  reply: z.array(z.object({ key: z.string(), date: Instant })),
  refusals: ['form_not_found'],
});

const ByKey = z.object({ key: ObjectKey, bucket: z.optional(z.string().check(z.maxLength(64))) });

/** A question of a filed form with its answers as text, or a text that the patient read. */
export const FiledAnswer = z.object({
  kind: z.enum(['question', 'text']),
  text: z.string(),
  /** The nested group it is in, such as "Allergy 2"; empty at the top of its section. */
  group: z.string(),
  /** Empty if the question was left blank. */
  answers: z.array(z.string()),
  /** Photos and drawn signatures. The URL works for two minutes; it is null if the picture is only in the PDF or cannot be read now. */
  pictures: z.array(z.object({ description: z.string(), url: z.nullable(z.string()) })),
  /** `review`: its answer made the outcome "review". `allergy`: it is about allergies. */
  mark: z.nullable(z.enum(['review', 'allergy'])),
});
export type FiledAnswer = z.output<typeof FiledAnswer>;

export const FormAnswers = z.object({
  id: z.uuid(),
  patientName: z.string(),
  birthDate: z.nullable(z.iso.date()),
  formName: z.string(),
  completedAt: Instant,
  outcome: FormOutcome,
  /** It replaced an earlier one. */
  amended: z.boolean(),
  /** When a newer one replaced it; null for the valid one. */
  supersededAt: z.nullable(Instant),
  /** The marked answers once more, those to review first. */
  highlights: z.array(FiledAnswer),
  sections: z.array(z.object({ title: z.string(), answers: z.array(FiledAnswer) })),
});
export type FormAnswers = z.output<typeof FormAnswers>;

export const readFormAnswers = endpoint({
  method: 'GET',
  path: '/forms/form/answers',
  summary: "The answers of one filed form or survey as text, in the reader's language",
  access: 'office',
  audit: 'form.open',
  query: ByKey,
  reply: FormAnswers,
  refusals: ['form_not_found', 'form_too_slow', 'overloaded'],
});

export const readFormUrl = endpoint({
  method: 'GET',
  path: '/forms/form/url',
  summary: 'A short-lived URL that shows one PDF',
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

export const downloadFormResponse = endpoint({
  method: 'GET',
  path: '/forms/form/response',
  summary:
    'One filed form or survey as a FHIR R4 QuestionnaireResponse. Pictures are named (`urn:uuid:…`), and are in the PDF',
  access: 'office',
  audit: 'form.download',
  query: ByKey,
  gives: 'application/fhir+json',
  reply: z.unknown(),
  refusals: ['form_not_found'],
});

/** One value that an answer became: an observation by its name, or a field of another resource (`name.family`). */
export const ExtractedValue = z.object({ resource: z.string(), name: z.string(), value: z.string() });
export type ExtractedValue = z.output<typeof ExtractedValue>;

const ExtractedValues = z.object({
  /** At most 500. Empty if the questionnaire does not say what its answers become. */
  values: z.array(ExtractedValue),
  /** What could not be extracted: an expression that fails, or a definition or template that is not understood. */
  problems: z.array(
    z.object({ code: z.enum(['expression', 'definition', 'template']), linkId: z.string(), detail: z.string() }),
  ),
});

export const readExtractedValues = endpoint({
  method: 'GET',
  path: '/forms/form/values',
  summary: 'What the answers of one filed form or survey become in other software, as a table',
  access: 'office',
  audit: 'form.open',
  query: ByKey,
  reply: ExtractedValues,
  refusals: ['form_not_found', 'form_too_slow', 'extraction_too_large', 'overloaded'],
});

export const downloadFormBundle = endpoint({
  method: 'GET',
  path: '/forms/form/bundle',
  summary:
    'One filed form or survey with what its answers become (observations, definitions and templates of FHIR Structured Data Capture), as a FHIR R4 transaction Bundle',
  access: 'office',
  audit: 'form.download',
  query: ByKey,
  gives: 'application/fhir+json',
  reply: z.unknown(),
  refusals: ['form_not_found', 'form_too_slow', 'extraction_too_large', 'overloaded'],
});

export const FormDelivery = z.object({
  /** The installation has a FHIR server. */
  hasServer: z.boolean(),
  /**
   * `unknown`: the server did not say in time whether it took the form. With the reason `unclear` it is asked again by itself; without one
   * sending again asks it first.
   */
  state: z.enum(['not-sent', 'sending', 'sent', 'refused', 'unknown']),
  /** Why it was refused, in a word or two, such as `status 422`. If the state is `unknown`: `unclear` or null. */
  reason: z.nullable(z.string()),
  at: z.nullable(Instant),
});
export type FormDelivery = z.output<typeof FormDelivery>;

export const readFormDelivery = endpoint({
  method: 'GET',
  path: '/forms/form/delivery',
  summary: 'Whether one filed form or survey was sent to the FHIR server',
  access: 'office',
  etag: true,
  query: ByKey,
  reply: FormDelivery,
  refusals: ['form_not_found'],
});

export const sendForm = endpoint({
  method: 'POST',
  path: '/forms/form/send',
  summary:
    'Posts one filed form or survey, with what its answers become, to the FHIR server: once, however often it is called',
  access: 'office',
  audit: 'form.send',
  body: ByKey,
  reply: FormDelivery,
  refusals: ['form_not_found', 'no_fhir_server', 'too_many_tries'],
});

/** The most forms in one CSV of answers. */
export const longestAnswersCsv = 5_000;

export const downloadAnswers = endpoint({
  method: 'POST',
  path: '/forms/answers/csv',
  summary:
    'The answers of one form’s submissions as a CSV file, at most 5,000 of them, newest first: one form a row, one question a column; no cell starts a formula',
  access: 'office',
  audit: 'form.download',
  body: z.extend(DaysAndName, { formType: FormType }),
  gives: 'text/csv',
  reply: z.unknown(),
  refusals: ['invalid_input', 'answers_csv_too_long', 'too_many_tries', 'overloaded'],
});

/** The most PDFs in one zip; Download All sends further requests for the rest. */
export const maxBulkDownload = 2_000;

export const bulkDownloadForms = endpoint({
  method: 'POST',
  path: '/forms/bulk-download',
  summary: 'A zip of PDFs, streamed, with its Content-Length known in advance',
  access: 'office',
  audit: 'forms.download',
  body: z.object({
    /** Object keys. */
    forms: z.array(ObjectKey).check(z.minLength(1), z.maxLength(maxBulkDownload)),
    bucket: z.optional(z.string().check(z.maxLength(64))),
  }),
  gives: 'application/zip',
  reply: z.unknown(),
  refusals: ['form_not_found', 'files_away'],
});

export const askForForm = endpoint({
  method: 'POST',
  path: '/virtual-queue/visit/:visitId/ask-form',
  summary:
    'Texts the patient a link to the missing form, or without `formType` to the list of all missing ones; repeats within a minute count once',
  access: 'office',
  audit: 'form.ask',
  creates: true,
  params: z.object({ visitId: z.uuid() }),
  body: z.object({ formType: z.optional(FormType) }),
  reply: z.object({
    /** False if the number opted out of texts. */
    sent: z.boolean(),
    at: Instant,
    state: TextState,
    problem: z.nullable(TextProblem),
  }),
  refusals: ['visit_not_found', 'form_not_found', 'form_submitted', 'visit_moved_on', ...textRefusals],
});
