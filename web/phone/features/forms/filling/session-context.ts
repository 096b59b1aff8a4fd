import type { FormDraft, OpenForm, saveVisitForm } from '#contract/forms/filling.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { BodyOf } from '#web/kit/call.ts';
import type { Calculations } from '#web/questionnaire/expressions/calculated-form.ts';
import type { FormStore } from '#web/questionnaire/form-store.ts';

/** The calls behind an open form: of a visit's form, or of a survey after surgery. Each is one try; whoever calls them retries. */
export interface FormCalls {
  /** `isFirst`: nothing has been filled in on this page yet. */
  read(isFirst: boolean, signal: AbortSignal): Promise<OpenForm>;
  save(step: BodyOf<typeof saveVisitForm>, options: { signal: AbortSignal; keepalive: boolean }): Promise<FormDraft>;
  submit(version: number, signal: AbortSignal): Promise<Pick<OpenForm, 'formName' | 'completedAt'>>;
  /** The answers of a new form with those that another family member gave for the household, and who; null if nobody did. */
  copyHousehold?(
    questionnaire: Questionnaire,
    answers: Answers,
    today: string,
    signal: AbortSignal,
  ): Promise<{ name: string; answers: Answers } | null>;
}

/** What the loader, the saver and the submission of one open form share. */
export interface SessionContext {
  calls: FormCalls;
  /** The office's day. */
  today: string;
  /** The office's. */
  timeZone: string;
  /** Aborted when the form is closed. */
  signal: AbortSignal;
  store: FormStore;
  /** The last step that the server has. */
  saved: { version: number; page: number; answers: Answers };
  /** The answers of the step that is on its way to the server. */
  sending: Answers | null;
  /** The page the patient is on. */
  page: number;
  /** What the form works out by itself; null if it has no expressions. */
  calculations: Calculations | null;
}

/** Adds what the form calculates from these answers. */
export const calculate = async ({ calculations, today }: SessionContext, answers: Answers) =>
  calculations ? calculations.settle(answers) : { answers, setting: { today } };
