import { expect, test } from 'vitest';
import { formsToReview, needsReview } from './forms-to-review.ts';
import { sampleForm } from '#web/panel/features/queue/visits/sample-visit.ts';

const covid = sampleForm({ indicator: 'covid-screening', outcome: 'review' });

test('a form to review is named by itself; the COVID screening has a warning of its own', () => {
  const mood = sampleForm({ outcome: 'review' });
  expect(formsToReview({ forms: [covid, sampleForm({ outcome: 'clear' }), mood, sampleForm()] })).toEqual([mood]);
});

test('a visit needs a review for the COVID screening and for any other form', () => {
  expect(needsReview({ forms: [covid], patientCovidWarning: true })).toBe(true);
  expect(needsReview({ forms: [sampleForm({ outcome: 'review' })], patientCovidWarning: false })).toBe(true);
  expect(needsReview({ forms: [sampleForm({ outcome: 'clear' })], patientCovidWarning: false })).toBe(false);
});
