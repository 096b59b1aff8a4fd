/**
 * The patient's side of an episode, on the phone: consent, the survey of the day, "please call me".
 *
 * The link in a text opens `/episode/{token}`; its token is in the path of each call. A link works for 30 days.
 */
import * as z from 'zod/mini';
import { optionalEmailPattern } from '#contract/email.ts';
import { endpoint } from '#contract/endpoint.ts';
import { FormAnswers, FormDraft } from '#contract/forms/filling.ts';
import { Instant, Language, Npi, Token } from '#contract/shapes.ts';
import { EpisodeState, SurveyState, SurveyType } from './shapes.ts';

/** A link works for so many days after its text was written. */
export const episodeLinkDays = 30;

/** What the patient should do now, because of an answer: call the office, or 911. */
export const Advice = z.enum(['none', 'call-office', 'call-911']);
export type Advice = z.output<typeof Advice>;

/** A survey as the patient's page lists it. */
export const EpisodeSurvey = z.object({
  id: z.uuid(),
  type: SurveyType,
  day: z.int(),
  formName: z.string(),
  state: SurveyState,
  /** Answers are saved, and not submitted yet. */
  started: z.boolean(),
  submittedAt: z.nullable(Instant),
  /** Until when it can be answered; null once it is submitted or missed. */
  openUntil: z.nullable(Instant),
  /** What the submitted answers call for; null before. */
  advice: z.nullable(Advice),
});
export type EpisodeSurvey = z.output<typeof EpisodeSurvey>;

export const Episode = z.object({
  state: EpisodeState,
  officeName: z.string(),
  npi: Npi,
  timeZone: z.string(),
  /** The number to call; null if the office has none. */
  officePhone: z.nullable(z.string()),
  /** The first name until the patient agrees; empty once the surveys have ended. */
  patientName: z.string(),
  language: Language,
  episodeDate: z.iso.date(),
  /** Which day of the episode today is; 0 on its date, negative before. */
  day: z.int(),
  /** Days on which a survey is asked, in their order; the last one is the satisfaction survey's. */
  surveyDays: z.array(z.int()),
  /** When the next survey is texted, as HH:MM in the office's time zone: the office's hour, or what quiet hours of this patient's number leave of the day. */
  surveyTime: z.string(),
  /**
   * The surveys that were asked, newest first. The first one with the state `open` is the survey of the day. None once they have ended.
   */
  surveys: z.array(EpisodeSurvey),
  /** The patient asked to be called, and the callback is not closed: since when. */
  callRequestedAt: z.nullable(Instant),
  now: Instant,
});
export type Episode = z.output<typeof Episode>;

const ByToken = z.object({ token: Token });
const OfSurvey = z.object({ token: Token, surveyId: z.uuid() });

export const readEpisode = endpoint({
  method: 'GET',
  path: '/episode/:token',
  summary: "The patient's page: the office, the day, the survey of the day",
  access: 'episode',
  etag: true,
  audit: 'episode.read-by-patient',
  params: ByToken,
  reply: Episode,
});

export const consentToEpisode = endpoint({
  method: 'POST',
  path: '/episode/:token/consent',
  summary: 'The patient agrees to daily surveys by text. A second call changes the language and the email address',
  access: 'episode',
  audit: 'episode.consent',
  params: ByToken,
  body: z.object({
    consent: z.literal(true),
    language: Language,
    /** Empty for none. */
    email: z.optional(z.string().check(z.trim(), z.maxLength(254), z.regex(optionalEmailPattern))),
  }),
  reply: Episode,
  refusals: ['episode_not_active', 'too_many_tries'],
});

export const setEpisodeLanguage = endpoint({
  method: 'PUT',
  path: '/episode/:token/language',
  summary: 'The language of the texts and surveys that follow, while the patient gets surveys',
  access: 'episode',
  audit: 'episode.language',
  params: ByToken,
  body: z.object({ language: Language }),
  reply: Episode,
  refusals: ['episode_not_active', 'too_many_tries'],
});

export const declineEpisode = endpoint({
  method: 'POST',
  path: '/episode/:token/decline',
  summary: 'The patient wants no surveys, or no more of them. No text follows; consent takes it back',
  access: 'episode',
  audit: 'episode.decline',
  params: ByToken,
  reply: Episode,
  refusals: ['too_many_tries'],
});

/** A survey with its questionnaire and the answers so far. */
export const OpenSurvey = z.extend(EpisodeSurvey, {
  definitionId: z.uuid(),
  /** The draft's version; 0 if there is none. */
  version: z.int(),
  savedAt: z.nullable(Instant),
  /** FHIR R4 Questionnaire; it has the photo question if the plan asks for a photo. */
  questionnaire: z.unknown(),
  /** What the form declares that its expressions read about the patient (`launchContext`), as FHIR resources by name. */
  launch: z.optional(z.record(z.string(), z.unknown())),
  /** Null if nothing was answered yet. */
  answers: z.nullable(FormAnswers),
  /** The page the patient was on. */
  page: z.int(),
});
export type OpenSurvey = z.output<typeof OpenSurvey>;

export const readSurvey = endpoint({
  method: 'GET',
  path: '/episode/:token/surveys/:surveyId',
  summary: 'One survey with its questionnaire and the answers so far',
  access: 'episode',
  audit: 'survey.read-by-patient',
  params: OfSurvey,
  reply: OpenSurvey,
  refusals: ['survey_not_found', 'survey_closed', 'survey_submitted', 'episode_not_active'],
});

export const saveSurvey = endpoint({
  method: 'PUT',
  path: '/episode/:token/surveys/:surveyId',
  summary:
    'Saves a step. `version` is the one the phone saw (0: none). Repeating a step changes nothing; if another phone saved in between, a 409 carries the current draft',
  access: 'episode',
  audit: 'survey.save',
  params: OfSurvey,
  body: z.object({
    definitionId: z.uuid(),
    version: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
    page: z.int().check(z.minimum(0), z.maximum(10_000)),
    answers: FormAnswers,
  }),
  reply: FormDraft,
  refusals: [
    'survey_not_found',
    'survey_closed',
    'survey_submitted',
    'episode_not_active',
    'form_changed',
    'form_outdated',
    'answers_unreadable',
    'answers_too_large',
    'too_many_saves',
    'overloaded',
  ],
});

export const submitSurvey = endpoint({
  method: 'POST',
  path: '/episode/:token/surveys/:surveyId/submit',
  summary:
    'Files a survey: checks that it is complete (else a 422 with the problems), stores it as data and as a PDF, and raises a callback if an answer calls for one. Idempotent',
  access: 'episode',
  audit: 'survey.submit',
  params: OfSurvey,
  body: z.object({ version: z.int().check(z.minimum(0), z.maximum(1_000_000_000)) }),
  reply: z.object({
    surveyId: z.uuid(),
    formName: z.string(),
    submittedAt: Instant,
    advice: Advice,
    /** A nurse will call. */
    callback: z.boolean(),
  }),
  refusals: [
    'survey_not_found',
    'survey_closed',
    'episode_not_active',
    'form_changed',
    'form_incomplete',
    'form_too_slow',
    'files_away',
    'too_many_tries',
    'overloaded',
  ],
});

export const uploadEpisodePhoto = endpoint({
  method: 'POST',
  path: '/episode/:token/files',
  summary: 'Stores a photo or a drawn signature for a survey: decoded, turned upright, stripped of its metadata',
  access: 'episode',
  audit: 'survey.photo',
  params: ByToken,
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
    'episode_not_active',
    'photo_too_large',
    'photo_heic',
    'photo_unreadable',
    'signature_blank',
    'too_many_tries',
    'files_away',
    'overloaded',
  ],
});

export const readEpisodePhoto = endpoint({
  method: 'GET',
  path: '/episode/:token/files/:fileId',
  summary: 'A photo of this episode, to show it again',
  access: 'episode',
  params: z.object({ token: Token, fileId: z.uuid() }),
  gives: 'image/*',
  reply: z.unknown(),
  refusals: ['not_found', 'files_away'],
});

export const requestCall = endpoint({
  method: 'POST',
  path: '/episode/:token/callback',
  summary: '"Please call me": raises a callback, or joins the one that is open',
  access: 'episode',
  audit: 'callback.raise',
  params: ByToken,
  reply: Episode,
  refusals: ['episode_not_active', 'too_many_tries'],
});
