/** The patient's side of forms: listed, filled and submitted on the phone, by the visit's token. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant, Token } from '#contract/shapes.ts';
import { FormOutcome, FormType, FormUrl } from './shapes.ts';

export const formStates = ['missing', 'draft', 'submitted'] as const;

/** A form of one family member as the phone lists it. */
export const VisitForm = z.object({
  formType: FormType,
  /** In the visit's language. */
  formName: z.string(),
  definitionId: z.uuid(),
  formVersion: z.int(),
  state: z.enum(formStates),
  /** The draft's version; 0 if there is none. */
  version: z.int(),
  savedAt: z.nullable(Instant),
  /** The valid submission, even while an amendment is a draft. */
  submissionId: z.nullable(z.uuid()),
  completedAt: z.nullable(Instant),
});
export type VisitForm = z.output<typeof VisitForm>;

export const VisitForms = z.object({
  /** The form this link was texted to request. */
  asked: z.nullable(FormType),
  /** About how long the forms that are not submitted yet take; 0 if there are none. */
  minutesLeft: z.int(),
  members: z.array(z.object({ memberId: z.uuid(), name: z.string(), forms: z.array(VisitForm) })),
});
export type VisitForms = z.output<typeof VisitForms>;

const OfVisit = z.object({ token: Token });
const OfForm = z.object({ token: Token, memberId: z.uuid(), formType: FormType });

export const listVisitForms = endpoint({
  method: 'GET',
  path: '/visit/:token/forms',
  summary: "The forms this visit's family members need, and how far each one is",
  access: 'visit',
  etag: true,
  audit: 'form.list-by-patient',
  params: OfVisit,
  reply: VisitForms,
  refusals: ['link_not_proved'],
});

/** The flat answers of the questionnaire engine (`Answers`). What is filed is a FHIR R4 QuestionnaireResponse. */
export const FormAnswers = z.record(z.string().check(z.maxLength(400)), z.array(z.unknown()).check(z.maxLength(300)));

/** A form with its answers so far. */
export const OpenForm = z.extend(VisitForm, {
  /** FHIR R4 Questionnaire: `readQuestionnaire` of the engine reads it. */
  questionnaire: z.unknown(),
  /** From the draft, else from the submission; null if nothing was answered yet. */
  answers: z.nullable(FormAnswers),
  /** The page the patient was on. */
  page: z.int(),
  /** What is known about the patient, to prefill it; the phone number only on a proved link. */
  known: z.optional(
    z.object({
      name: z.string(),
      filledBy: z.string(),
      birthDate: z.nullable(z.string()),
      phone: z.nullable(z.string()),
    }),
  ),
  /** What the form declares that its expressions read about the visit (`launchContext`), as FHIR resources by name. */
  launch: z.optional(z.record(z.string(), z.unknown())),
  /**
   * What the same patient answered at an earlier visit, to be confirmed: only on a proved link, and only from a visit with the same phone
   * number, name and birth date. Without pictures, signatures, consents and what is asked each time.
   */
  earlier: z.optional(z.object({ day: z.iso.date(), answers: FormAnswers })),
});
export type OpenForm = z.output<typeof OpenForm>;

export const readVisitForm = endpoint({
  method: 'GET',
  path: '/visit/:token/forms/:memberId/:formType',
  summary: 'One form with its questionnaire and the answers so far',
  access: 'visit',
  audit: 'form.read-by-patient',
  params: OfForm,
  reply: OpenForm,
  refusals: ['form_not_found', 'form_too_slow', 'overloaded', 'link_not_proved'],
});

/** The current draft: the reply to a save, and the content of a 409. */
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
    'Saves a step of a form. `version` is the one the phone saw (0: none). Repeating a step changes nothing; if another phone saved in between, a 409 carries the current draft',
  access: 'visit',
  audit: 'form.save',
  params: OfForm,
  body: z.object({
    definitionId: z.uuid(),
    version: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
    page: z.int().check(z.minimum(0), z.maximum(10_000)),
    /** May be incomplete; includes answers to questions that are currently hidden. */
    answers: FormAnswers,
    /** Changes a form that was already submitted; without it, that is a 409. */
    amend: z.optional(z.boolean()),
  }),
  reply: FormDraft,
  refusals: [
    'form_not_found',
    'form_changed',
    'form_submitted',
    'form_outdated',
    'answers_unreadable',
    'answers_too_large',
    'too_many_saves',
    'overloaded',
    'link_not_proved',
  ],
});

export const submitVisitForm = endpoint({
  method: 'POST',
  path: '/visit/:token/forms/:memberId/:formType/submit',
  summary:
    'Files a form: checks that it is complete (else a 422 with the problems), makes its PDF and stores both. Idempotent',
  access: 'visit',
  audit: 'form.submit',
  params: OfForm,
  body: z.object({ version: z.int().check(z.minimum(0), z.maximum(1_000_000_000)) }),
  reply: z.object({ submissionId: z.uuid(), formName: z.string(), completedAt: Instant, outcome: FormOutcome }),
  refusals: [
    'form_not_found',
    'form_changed',
    'form_outdated',
    'form_incomplete',
    'form_too_slow',
    'files_away',
    'too_many_tries',
    'overloaded',
    'link_not_proved',
  ],
});

/** The largest accepted photo, in bytes. */
export const photoMaxBytes = 20_000_000;

export const uploadFormPhoto = endpoint({
  method: 'POST',
  path: '/visit/:token/form-files',
  summary: 'Stores a photo or a drawn signature of this visit: decoded, turned upright, stripped of its metadata',
  access: 'visit',
  audit: 'form.photo',
  params: OfVisit,
  query: z.object({ kind: z.optional(z.enum(['photo', 'signature'])) }),
  takes: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'application/octet-stream'],
  /** The matching `valueAttachment` fields; `url` is its `url`. */
  reply: z.object({
    fileId: z.uuid(),
    url: z.string(),
    contentType: z.string(),
    size: z.int(),
    width: z.int(),
    height: z.int(),
  }),
  refusals: [
    'photo_too_large',
    'photo_heic',
    'photo_unreadable',
    'signature_blank',
    'too_many_tries',
    'files_away',
    'overloaded',
    'link_not_proved',
  ],
});

export const readFormPhoto = endpoint({
  method: 'GET',
  path: '/visit/:token/form-files/:fileId',
  summary: 'A photo of this visit, to show it again',
  access: 'visit',
  params: z.object({ token: Token, fileId: z.uuid() }),
  gives: 'image/*',
  reply: z.unknown(),
  refusals: ['not_found', 'link_not_proved'],
});

export const openVisitForm = endpoint({
  method: 'GET',
  path: '/visit/:token/forms/:memberId/:formType/pdf',
  summary: "The patient's own copy: a short-lived URL of the PDF they submitted",
  access: 'visit',
  audit: 'form.open-by-patient',
  params: OfForm,
  reply: FormUrl,
  refusals: ['form_not_found', 'files_away', 'link_not_proved'],
});
