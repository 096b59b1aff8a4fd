import type { Translations } from '#questionnaire/language/language.ts';

/** A constraint that the answers break. */
export interface BrokenConstraint {
  linkId: string;
  /** The key of the answers at which it is shown; empty if it is about the whole form. */
  path: string;
  isWarning: boolean;
  message: Translations;
  /** It reads answers that come later in the form, so the patient may still be on the way to them. */
  isEarly: boolean;
}
