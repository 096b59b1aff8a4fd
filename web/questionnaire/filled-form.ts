import type { FormDraft, OpenForm } from '#contract/forms/filling.ts';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import type { Uploads } from './uploads.ts';

/** A form and its answers on this phone. */
export interface FilledForm {
  form: OpenForm;
  questionnaire: Questionnaire;
  answers: Answers;
  /** Today, and what the form's calculations decided. */
  setting: EvaluationContext;
  /** This device could not finish the form's calculations, so what is calculated may be old or missing. The server calculates again. */
  isUncalculated: boolean;
  /** What the visit knows about the patient and filled in (`launchContext`). An answer that is the same still is that. */
  prefilled: Answers;
  /** The family member whose household answers were copied; null if none were. */
  copiedFrom: string | null;
  /** A save is under way or waits for the network. */
  isSaving: boolean;
  /** The draft that another phone saved in the meantime. */
  conflict: FormDraft | null;
  isSubmitting: boolean;
  /** What the server found missing. */
  problems: readonly Problem[];
  /** Why the last save or submission failed, as the patient reads it. */
  errorMessage: string | null;
  /** It was submitted before and is being changed. */
  isAmending: boolean;
  /** It is filed and not being changed. */
  isDone: boolean;
  /** It was filed just now, from this page. */
  isJustFiled: boolean;
}

export type FormSessionState = FilledForm | 'loading' | 'gone';

/** One open form: its state, and everything the patient can do with it. */
export interface FormSession {
  state(): FormSessionState;
  /** Calls back on each change until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Sets the answers to one question. */
  answer(item: VisibleItem, values: readonly Value[]): void;
  /** Replaces all answers, after a repetition was added or removed. */
  change(answers: Answers): void;
  /** Calculates now what would be calculated after a pause in typing. Resolves when it is shown; null if there is nothing to wait for. */
  settle(): Promise<void> | null;
  /** The patient goes to this page: saves the step. */
  goToPage(page: number): void;
  /** The pictures under way: Next and Submit wait for them. */
  uploads: Uploads;
  /** After a conflict: goes on with the other phone's answers, or with this one's. */
  resolveConflict(which: 'theirs' | 'mine'): void;
  amend(): void;
  submit(): Promise<void>;
  /** Resolves when everything is saved, or the patient has to decide something first. */
  save(): Promise<void>;
  stop(): void;
}
