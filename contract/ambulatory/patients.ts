/** The ambulatory patients of an office: invited, listed, opened, and their notes. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QuietChoice } from '#contract/queue.ts';
import { textRefusals } from '#contract/refusals/texts.ts';
import { Instant, Language, Npi } from '#contract/shapes.ts';
import { NurseCallback } from './callbacks.ts';
import {
  AmbuInvite,
  NewAmbuInvite,
  AmbuPatient,
  EpisodeState,
  longestNotes,
  longestPatientName,
  MedianPain,
  OfAmbuPatient,
  PatientName,
  PatientSurvey,
  PhoneAsTyped,
} from './shapes.ts';

/** Patients of a list that is not paged. */
export const mostAmbuPatients = 1_000;

export const invitePatient = endpoint({
  method: 'POST',
  path: '/ambu/invites',
  summary:
    'Invites a patient by text to daily surveys. Inviting the same number again texts a new link (once a minute) and corrects the name, and the date if one is given',
  access: 'office',
  audit: 'episode.invite',
  creates: true,
  body: z.object({
    phoneNumber: PhoneAsTyped,
    patientName: PatientName,
    /** Only checked. */
    npi: z.optional(Npi),
    /** The day of the surgery or treatment. If absent: the one of the open invitation, else today. */
    episodeDate: z.optional(z.iso.date()),
    /** The language of the texts. If absent: the number's own if the office knows it, else English. */
    language: z.optional(Language),
    quietHours: z.optional(QuietChoice),
  }),
  reply: NewAmbuInvite,
  refusals: [
    'invalid_phone',
    'invalid_episode_date',
    'already_followed',
    'already_invited',
    'office_not_found',
    'number_opted_out',
    'number_is_landline',
    ...textRefusals,
  ],
});

export const listInvites = endpoint({
  method: 'GET',
  path: '/ambu/invites',
  summary: 'The invitations that patients have not accepted yet, newest first, at most 1,000',
  access: 'office',
  audit: 'episode.list',
  reply: z.array(AmbuInvite),
});

export const withdrawInvite = endpoint({
  method: 'DELETE',
  path: '/ambu/invites/:phoneNumber',
  summary: "Withdraws a number's invitation: its links end, and a text that waits is not sent",
  access: 'office',
  audit: 'episode.withdraw',
  params: z.object({ phoneNumber: PhoneAsTyped }),
  reply: z.object({ withdrawn: z.boolean() }),
  refusals: ['invite_not_found'],
});

export const listAmbuPatients = endpoint({
  method: 'GET',
  path: '/ambu/patients',
  summary:
    'Ambulatory patients, newest first, at most 1,000: `status` is active or pending, else both. The panel uses POST /ambu/patients/search',
  access: 'office',
  audit: 'episode.list',
  query: z.object({ status: z.optional(EpisodeState) }),
  reply: z.array(AmbuPatient),
});

/** `newest`: the newest invitation first. Patients without a score come last in either order. */
export const ambuSorts = ['newest', 'name', 'stationary', 'movement'] as const;
const Sort = z.enum(ambuSorts);
export type AmbuSort = z.output<typeof Sort>;

export const searchAmbuPatients = endpoint({
  method: 'POST',
  path: '/ambu/patients/search',
  summary: 'One page of ambulatory patients. A POST, so that no name is in a URL',
  access: 'office',
  etag: true,
  audit: 'episode.list',
  body: z.object({
    /** Beginnings of names in any order; accents and case do not matter. */
    search: z.optional(z.string().check(z.maxLength(longestPatientName))),
    /** Active and pending if absent or empty. */
    status: z.optional(z.array(EpisodeState).check(z.maxLength(3))),
    /** Both if absent or empty. */
    forms: z.optional(z.array(z.enum(['complete', 'incomplete'])).check(z.maxLength(2))),
    sort: z.optional(Sort),
    /** By default `desc`, names `asc`. */
    order: z.optional(z.enum(['asc', 'desc'])),
    /** From 1. A page after the last one is the last one. */
    page: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
  }),
  reply: z.object({
    patients: z.array(AmbuPatient),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    now: Instant,
  }),
});

/** A patient with everything that the details page shows. */
export const AmbuPatientFile = z.object({
  patient: AmbuPatient,
  /** Who saved the notes last, and when; null without notes. */
  notesSaved: z.nullable(z.object({ at: Instant, by: z.nullable(z.string()) })),
  /** In the order of their days, those that are still planned too. */
  surveys: z.array(PatientSurvey),
  /** By day, of the surveys of the last year. */
  median: z.array(MedianPain),
  /** Newest first, at most 50. */
  callbacks: z.array(NurseCallback),
  /** The conversation with the number; null if nobody has written yet. */
  conversationId: z.nullable(z.uuid()),
});
export type AmbuPatientFile = z.output<typeof AmbuPatientFile>;

export const readAmbuPatient = endpoint({
  method: 'GET',
  path: '/ambu/patients/:userCode/:userId',
  summary: 'One ambulatory patient with surveys, callbacks and the office’s medians',
  access: 'office',
  etag: true,
  audit: 'episode.read',
  params: OfAmbuPatient,
  reply: AmbuPatientFile,
  refusals: ['patient_not_found'],
});

export const saveAmbuNotes = endpoint({
  method: 'PUT',
  path: '/ambu/patients/:userCode/:userId',
  summary:
    'Saves the notes. With the `version` the caller saw, a 409 carries the notes that somebody else saved in between; without it they replace what is there',
  access: 'office',
  audit: 'episode.notes',
  params: OfAmbuPatient,
  body: z.object({
    notes: z.string().check(z.maxLength(longestNotes)),
    version: z.optional(z.int().check(z.minimum(0), z.maximum(2_000_000_000))),
  }),
  reply: AmbuPatient,
  refusals: ['patient_not_found', 'notes_changed'],
});

/** `current` of `notes_changed`. */
export const CurrentNotes = z.object({
  notes: z.string(),
  version: z.int(),
  saved: z.nullable(z.object({ at: Instant, by: z.nullable(z.string()) })),
});
export type CurrentNotes = z.output<typeof CurrentNotes>;

export const setFollowUp = endpoint({
  method: 'PUT',
  path: '/ambu/patients/:userCode/:userId/follow-up',
  summary:
    'Ends the surveys of a patient who agreed to them, or resumes them (the undo). A survey that is due when they resume is texted',
  access: 'office',
  audit: 'episode.follow-up',
  params: OfAmbuPatient,
  body: z.object({ active: z.boolean() }),
  reply: AmbuPatient,
  refusals: ['patient_not_found', 'episode_moved_on', 'already_followed'],
});
