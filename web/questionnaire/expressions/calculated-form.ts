import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { FilledForm } from '#web/questionnaire/filled-form.ts';

/** A form whose calculations are opened. */
export interface CalculatedForm {
  questionnaire: Questionnaire;
  /** The office's day. */
  today: string;
  /** The office's time zone, which may not be the phone's. */
  timeZone?: string | undefined;
  launch: LaunchContext | undefined;
}

/** The answers a form begins with. */
export interface StartingAnswers {
  answers: Answers;
  /** Those of them that are what the visit knows about the patient. */
  prefilled: Answers;
}

/** What an open form works out by itself. */
export interface Calculations {
  begin(answers: Answers): Promise<StartingAnswers>;
  /** Adds what the form calculates from these answers. */
  settle(answers: Answers): Promise<Pick<FilledForm, 'answers' | 'setting' | 'isUncalculated'>>;
  stop(): void;
}
