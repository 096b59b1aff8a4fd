import type { FormDraft, OpenForm } from '#contract/forms/filling.ts';
import type { Setting } from '#questionnaire/evaluation.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import type { Uploads } from './uploads.ts';

/** One form as this phone knows it. */
export interface Filling {
  form: OpenForm;
  questionnaire: Questionnaire;
  answers: Answers;
  /** Today, and what the form's calculations decided. */
  setting: Setting;
  /** Whose answers the household's ones were taken from. */
  takenFrom: string | null;
  /** An answer is not with the server yet. */
  isSaving: boolean;
  /** What another phone made of this form in the meantime. */
  conflict: FormDraft | null;
  isSubmitting: boolean;
  /** What the server found missing. */
  problems: readonly Problem[];
  /** Why the last step was refused, in words. */
  refused: string | null;
  /** It was submitted before and is being changed. */
  isAmending: boolean;
  /** It is filed, and nothing of it is being changed. */
  isDone: boolean;
  /** It was filed just now, from this page. */
  isNew: boolean;
}

export type Opened = Filling | 'loading' | 'gone';

export interface FormOnPhone {
  now(): Opened;
  watch(watcher: () => void): () => void;
  /** Takes the answers to one question. */
  answer(place: VisibleItem, values: readonly Value[]): void;
  /** Takes answers as a whole: after a repetition was added or removed. */
  change(answers: Answers): void;
  /** The page the patient is on now: saves the step. */
  turnTo(page: number): void;
  /** Pictures that belong to the answers and are on their way: Next and Submit wait for them. */
  uploads: Uploads;
  /** After a conflict: goes on with the other phone's answers, or with those of this one. */
  settleConflict(which: 'theirs' | 'mine'): void;
  amend(): void;
  submit(): Promise<void>;
  /** Resolves when nothing more is to be saved, or cannot be without an answer of the patient. */
  save(): Promise<void>;
  stop(): void;
}
