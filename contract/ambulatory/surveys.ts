/** The survey plan of an office: what is asked on which day, at which hour, and what raises a callback. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FormType } from '#contract/forms/shapes.ts';
import { KnownForm } from '#contract/forms/settings.ts';
import { SurveyType } from './shapes.ts';

export const mostPlanDays = 60;
export const lastPlanDay = 365;
export const mostWatchedWords = 50;
/** The days of the plan until an office changes it. */
export const planDaysDefault = [1, 2, 3, 7] as const;
/** So many reminders of a survey that is not submitted, and how many hours after its text. None is sent in quiet hours. */
export const reminderHours = [4, 8] as const;
/** The satisfaction survey can be answered for so many days; every other one until the end of its day. */
export const satisfactionDays = 7;

export const PlannedSurvey = z.object({
  id: z.uuid(),
  /** `ambu-satisfaction` is always the last one; its day follows the last day survey's. */
  type: SurveyType,
  day: z.int(),
  /** The questionnaire that is asked: a built-in one, or one that the office loaded. */
  formType: FormType,
  definitionId: z.uuid(),
  formName: z.object({ en: z.string(), es: z.string() }),
  /** It also asks for a photo of the wound. */
  photo: z.boolean(),
  /** The last day survey, the only one that can be deleted. */
  deletable: z.boolean(),
});
export type PlannedSurvey = z.output<typeof PlannedSurvey>;

const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

/** How an office follows its ambulatory patients. */
export const AmbuSettings = z.object({
  /** When the surveys of a day are texted, by the office's clock. In quiet hours they wait for the end of them, on the same day. */
  surveyTime: TimeOfDay,
  /** A pain score of at least this raises a callback. */
  painLimit: z.int().check(z.minimum(1), z.maximum(10)),
  /** Words in free answers that raise a callback; compared as beginnings of words, without case and accents. */
  watchedWords: z
    .array(z.string().check(z.trim(), z.minLength(2), z.maxLength(40)))
    .check(z.maxLength(mostWatchedWords)),
  /** The number that patients are told to call; null: the practice's number in the NPI registry, if it has one. */
  phone: z.nullable(z.string().check(z.maxLength(40))),
});
export type AmbuSettings = z.output<typeof AmbuSettings>;
/** The settings as stored: those that were added later may be missing. */
export type SavedAmbuSettings = Partial<AmbuSettings>;

export const ambuSettingsDefault: AmbuSettings = {
  surveyTime: '09:00',
  painLimit: 7,
  watchedWords: ['fever', 'bleeding', 'pus', 'fiebre', 'sangrado'],
  phone: null,
};

export const SurveyPlan = z.object({
  /** In the order of their days, the satisfaction survey last. */
  surveys: z.array(PlannedSurvey),
  settings: AmbuSettings,
  /** The questionnaires that a survey can ask. */
  questionnaires: z.array(KnownForm),
});
export type SurveyPlan = z.output<typeof SurveyPlan>;

export const readSurveyPlan = endpoint({
  method: 'GET',
  path: '/ambu/surveys',
  summary: 'The survey plan, its settings, and the questionnaires to choose from',
  access: 'office',
  reply: SurveyPlan,
});

export const addSurvey = endpoint({
  method: 'POST',
  path: '/ambu/surveys',
  summary: 'Adds a day survey after the last one; the satisfaction survey moves behind it',
  access: 'office',
  audit: 'settings.change',
  creates: true,
  body: z.object({
    /** Later than the last day survey; the day after it if absent. */
    day: z.optional(z.int().check(z.minimum(1), z.maximum(lastPlanDay))),
    /** `ambu-survey-day` if absent. */
    formType: z.optional(FormType),
    photo: z.optional(z.boolean()),
  }),
  reply: SurveyPlan,
  refusals: ['survey_day_taken', 'too_many_surveys', 'form_not_found', 'limited_questionnaires'],
});

export const changeSurvey = endpoint({
  method: 'PUT',
  path: '/ambu/surveys/:id',
  summary: 'Chooses the questionnaire of a survey, and whether it asks for a photo',
  access: 'office',
  audit: 'settings.change',
  params: z.object({ id: z.uuid() }),
  body: z.object({ formType: FormType, photo: z.boolean() }),
  reply: SurveyPlan,
  refusals: ['survey_not_found', 'form_not_found', 'limited_questionnaires'],
});

export const deleteSurvey = endpoint({
  method: 'DELETE',
  path: '/ambu/surveys',
  summary:
    'Deletes the last day survey from the plan; what was asked and answered stays. With `id` it must be the last one, else a 409 carries the plan',
  access: 'office',
  audit: 'settings.change',
  query: z.object({ id: z.optional(z.uuid()) }),
  reply: SurveyPlan,
  refusals: ['survey_not_found', 'survey_not_last'],
});

export const saveAmbuSettings = endpoint({
  method: 'PUT',
  path: '/ambu/settings',
  summary: 'Changes the hour of the surveys and what raises a callback',
  access: 'office',
  audit: 'settings.change',
  body: AmbuSettings,
  reply: SurveyPlan,
  refusals: ['invalid_phone'],
});
