/**
 * Ambulatory mode: patients after a surgery or treatment, followed by daily surveys.
 *
 * episode: one surgery or treatment of one patient at one office. It has links of its own; surveys, answers and photos belong to it.
 * day: counted from the episode's date in the office's time zone; day 1 is the day after it.
 * survey plan: what the office asks on which day; the satisfaction survey comes last.
 */
import * as z from 'zod/mini';
import { Instant, Language, Npi } from '#contract/shapes.ts';
import { TextBlock, TextProblem, TextState } from '#contract/text-states.ts';

export const surveyTypes = ['ambu-survey-day', 'ambu-satisfaction'] as const;
export const SurveyType = z.enum(surveyTypes);
export type SurveyType = z.output<typeof SurveyType>;

/** 0: no pain. 10: the worst pain one can imagine. */
export const PainScore = z.int().check(z.minimum(0), z.maximum(10));

/** `pending`: invited, and the patient has not agreed yet. `active`: surveys go out. `ended`: withdrawn, declined, or ended by the office. */
export const EpisodeState = z.enum(['pending', 'active', 'ended']);
export type EpisodeState = z.output<typeof EpisodeState>;

/** Who ended an episode: the office its invitation (`withdrawal`) or its surveys, or the patient, who declined. */
const EpisodeEnd = z.enum(['withdrawal', 'patient', 'office']);

/** `planned`: its day has not come. `open`: the patient can answer it, for an hour more if they have begun. `missed`: its day is over. */
export const SurveyState = z.enum(['planned', 'open', 'missed', 'submitted']);
export type SurveyState = z.output<typeof SurveyState>;

export const ambuPatientsPerPage = 5;
export const callbacksPerPage = 5;
export const longestNotes = 10_000;
export const longestPatientName = 200;

/** How far an episode's date may be from today. */
export const episodeDateRange = { pastDays: 60, futureDays: 180 } as const;

export const PatientName = z.string().check(z.trim(), z.minLength(1), z.maxLength(longestPatientName));
export const PhoneAsTyped = z.string().check(z.maxLength(40));
const UserCode = z.string().check(z.minLength(1), z.maxLength(64));
/** The id of the patient's episode, which other programs call `userId`. */
export const OfAmbuPatient = z.object({ userCode: UserCode, userId: z.uuid() });

/** What became of the newest text about it; null if there was none. */
const NewestText = z.object({
  lastTextState: z.nullable(TextState),
  lastTextProblem: z.nullable(TextProblem),
});

/** Somebody of the office. */
export const Staff = z.object({ id: z.uuid(), name: z.string() });

/** A callback that is not closed: nobody has taken it yet, or a nurse has. */
const WaitingCallback = z.object({ state: z.enum(['open', 'taken']), takenBy: z.nullable(Staff) });
export type WaitingCallback = z.output<typeof WaitingCallback>;

/** A patient of the list. Other programs read the names of the first block; what only our panel shows follows. */
export const AmbuPatient = z.extend(NewestText, {
  /** The same as `userData.userId`. */
  user: z.uuid(),
  patientName: z.string(),
  /** A nurse should call: a callback is open or taken. */
  nurseCallback: z.boolean(),
  userData: z.object({
    name: z.string(),
    phoneNumber: z.string(),
    email: z.nullable(z.string()),
    /** The phone holder's account in this office: `targetUserCode` of a conversation. */
    userCode: z.string(),
    /** The episode. */
    userId: z.uuid(),
  }),
  /** From the newest submitted survey that asked for it. */
  stationaryPainScore: z.nullable(PainScore),
  movementPainScore: z.nullable(PainScore),
  /** From the newest submitted survey. */
  lastFormType: z.nullable(SurveyType),
  lastFormSubmission: z.nullable(Instant),
  notes: z.string(),
  /** The PDFs of the submitted surveys, newest first: `/forms/form/url?key=` opens one, `/forms/bulk-download` takes them all. */
  s3ObjectKeys: z.array(z.string()),

  status: EpisodeState,
  /** Null unless the status is `ended`. */
  endedBy: z.nullable(EpisodeEnd),
  /** Who calls, if a nurse should; of two callbacks the one that nobody has taken. */
  callback: z.nullable(WaitingCallback),
  /** The forms count as complete: `areFormsComplete`. */
  complete: z.boolean(),
  episodeDate: z.iso.date(),
  /** Which day of the episode today is; 0 on its date, negative before. */
  day: z.int(),
  language: Language,
  invitedAt: Instant,
  consentedAt: z.nullable(Instant),
  /** How many surveys were asked so far. */
  surveysAsked: z.int(),
  /** When the next survey is due; null if none follows. */
  nextSurveyAt: z.nullable(Instant),
  /** Pass it when saving notes. */
  notesVersion: z.int(),
  /** Why the number gets no texts; null if it does. */
  textBlock: z.nullable(TextBlock),
});
export type AmbuPatient = z.output<typeof AmbuPatient>;

/** Forms count as complete if the last one is the satisfaction survey, or was submitted less than a day ago. */
export function areFormsComplete(last: Pick<AmbuPatient, 'lastFormType' | 'lastFormSubmission'>, now: Date): boolean {
  if (last.lastFormType === 'ambu-satisfaction') return true;
  return last.lastFormSubmission !== null && now.getTime() - Date.parse(last.lastFormSubmission) < 86_400_000;
}

/** An invitation that the patient has not accepted yet. Other programs read the first three names. */
export const AmbuInvite = z.extend(NewestText, {
  patientName: z.string(),
  phoneNumber: z.string(),
  npi: Npi,
  userCode: z.string(),
  userId: z.uuid(),
  episodeDate: z.iso.date(),
  language: Language,
  invitedAt: Instant,
  /** When its text goes out, if it waits for the end of quiet hours; null otherwise. */
  textSendAt: z.nullable(Instant),
});
export type AmbuInvite = z.output<typeof AmbuInvite>;

/** What became of a press on Send. */
export const NewAmbuInvite = z.extend(AmbuInvite, {
  /** This number was texted less than a minute ago: nothing was texted again. */
  repeated: z.boolean(),
});
export type NewAmbuInvite = z.output<typeof NewAmbuInvite>;

/** A survey of one patient, as the desk sees it. */
export const PatientSurvey = z.extend(NewestText, {
  id: z.uuid(),
  type: SurveyType,
  day: z.int(),
  /** The office's day on which it is asked. */
  dueOn: z.iso.date(),
  formName: z.string(),
  state: SurveyState,
  /** When its text was written to the ledger; null if none was. */
  textedAt: z.nullable(Instant),
  /** How many reminders followed. */
  reminders: z.int(),
  submittedAt: z.nullable(Instant),
  stationaryPainScore: z.nullable(PainScore),
  movementPainScore: z.nullable(PainScore),
  /** Its PDF; null until it is submitted. */
  objectKey: z.nullable(z.string()),
});
export type PatientSurvey = z.output<typeof PatientSurvey>;

/** A median of fewer is that of the patient and a few others: screens show none. */
export const fewestSurveysOfMedian = 5;

/** The median of both scores on a day, over all patients of the office. */
export const MedianPain = z.object({
  day: z.int(),
  stationary: z.nullable(z.number()),
  movement: z.nullable(z.number()),
  /** How many surveys it is from. */
  surveys: z.int(),
});
export type MedianPain = z.output<typeof MedianPain>;
