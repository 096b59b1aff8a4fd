/** The desk's side of forms, by the names of the parts: the lists, the PDFs, asking for one that is missing. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant, Npi, ObjectKey } from '#contract/shapes.ts';
import { textRefusals } from '#contract/refusals.ts';
import { FormOutcome, FormType, FormUrl } from './shapes.ts';
import { TextErrorClass, TextState } from '#contract/queue.ts';

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

/** Left empty, no day is named. */
const Day = z.string().check(z.regex(/^(\d{4}-\d{2}-\d{2}|\d{8}|)$/));

export const formsPageSize = 10;

const FormsFilter = z.object({
  formType: z.optional(z.string().check(z.maxLength(64))),
  /** Days of the office as YYYY-MM-DD or MMDDYYYY, both ends included; later than today counts as today. */
  startDate: z.optional(Day),
  endDate: z.optional(Day),
  /** Beginnings of names, in any order; accents and case do not matter. */
  patientName: z.optional(z.string().check(z.maxLength(200))),
  /** The forms of one visit's whole family, whatever day or name they were filed under; the other filters do not apply. */
  visitId: z.optional(z.uuid()),
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
});
const FormsPage = z.object({ forms: z.array(FormItem), total: z.int(), page: z.int(), pageSize: z.int() });

export const listFormPaths = endpoint({
  method: 'GET',
  path: '/onemd/api/v2/formpaths/',
  summary:
    'The forms list: by name, days and type, newest first, ten a page. It has the name in the address: prefer POST /forms/search',
  access: 'office',
  audit: 'forms.read',
  query: FormsFilter,
  reply: FormsPage,
});

export const searchForms = endpoint({
  method: 'POST',
  path: '/forms/search',
  summary: 'The forms list with the filter in the body: addresses are logged, names must not be in them',
  access: 'office',
  audit: 'forms.read',
  body: FormsFilter,
  reply: FormsPage,
});

/** The types that labels name; screenings are named by their outcome, every other form is just a Form. */
export const labelledTypes = ['insurance-card', 'photo-id', 'health-history'] as const;

export const listUserForms = endpoint({
  method: 'GET',
  path: '/forms/user',
  summary:
    "A patient's forms, family member by family member: of the visit named by `dateTime`, else of today's newest, else of the last that had any",
  access: 'office',
  audit: 'forms.read',
  query: z.object({
    userCode: z.string().check(z.minLength(1), z.maxLength(64)),
    npi: z.optional(Npi),
    /** A visit's createdAt, as the queue names it. */
    dateTime: z.optional(Instant),
  }),
  reply: z.array(
    z.object({
      name: z.string(),
      forms: z.array(
        z.object({
          ...FormItem.shape,
          /** The label: the date and Insurance Card, Photo ID, Health History, COVID Clear, COVID Review or Form. */
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

export const askForForm = endpoint({
  method: 'POST',
  path: '/virtual-queue/visit/:visitId/ask-form',
  summary:
    'Texts the patient a link that opens at the form that is missing, or without `formType` at the list of all that are; twice within a minute is once',
  access: 'office',
  audit: 'form.ask',
  creates: true,
  params: z.object({ visitId: z.uuid() }),
  body: z.object({ formType: z.optional(FormType) }),
  reply: z.object({
    /** False where no text leaves: the number asked for none. */
    sent: z.boolean(),
    at: Instant,
    state: TextState,
    problem: z.nullable(TextErrorClass),
  }),
  refusals: ['visit_not_found', 'form_not_found', 'form_submitted', 'visit_moved_on', ...textRefusals],
});
