import { covidScreening } from '#contract/forms/shapes.ts';
import type { FormIndicator, QueueEntry } from '#contract/queue.ts';

/** The forms, other than the COVID screening, whose outcome the desk must review. */
export const formsToReview = ({ forms }: Pick<QueueEntry, 'forms'>): FormIndicator[] =>
  forms.filter(({ indicator, outcome }) => outcome === 'review' && indicator !== covidScreening);

/** Whether a screening of the visit needs a review. */
export const needsReview = (visit: Pick<QueueEntry, 'forms' | 'patientCovidWarning'>): boolean =>
  visit.patientCovidWarning || formsToReview(visit).length > 0;
