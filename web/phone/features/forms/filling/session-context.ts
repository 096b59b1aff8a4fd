import type { Answers } from '#questionnaire/values.ts';
import type { FilledForm } from '#web/questionnaire/filled-form.ts';
import type { FormStore } from '#web/questionnaire/form-store.ts';
import type { FormKey } from '#web/phone/features/forms/form-address.ts';

/** What the loader, the saver and the submission of one open form share. */
export interface SessionContext {
  key: FormKey;
  /** The office's day. */
  today: string;
  /** Aborted when the form is closed. */
  signal: AbortSignal;
  store: FormStore;
  /** The last step that the server has. */
  saved: { version: number; page: number; answers: Answers };
  /** The page the patient is on. */
  page: number;
  /** Adds what the form calculates from these answers. */
  calculate(answers: Answers): Pick<FilledForm, 'answers' | 'setting'>;
}
