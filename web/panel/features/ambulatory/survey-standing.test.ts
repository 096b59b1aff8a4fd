import { expect, test } from 'vitest';
import { surveyStanding } from './survey-standing.ts';

const patient = {
  status: 'active',
  surveysAsked: 2,
  nextSurveyAt: '2026-03-03T14:00:00.000Z',
  complete: false,
} as const;

test('a patient to whom no survey was sent yet is not incomplete', () => {
  expect(surveyStanding({ ...patient, surveysAsked: 0 })).toBe('not-due');
  expect(surveyStanding({ ...patient, surveysAsked: 0, nextSurveyAt: null })).toBe('none');
  expect(surveyStanding({ ...patient, surveysAsked: 0, status: 'pending', nextSurveyAt: null })).toBe('none');
});

test('a patient who did not answer the last surveys is incomplete, else complete', () => {
  expect(surveyStanding(patient)).toBe('incomplete');
  expect(surveyStanding({ ...patient, status: 'ended', nextSurveyAt: null })).toBe('incomplete');
  expect(surveyStanding({ ...patient, complete: true })).toBe('complete');
});
