import { expect, test } from 'vitest';
import type { PatientSurvey } from '#contract/ambulatory/shapes.ts';
import { painDays } from './pain-days.ts';

const survey = (day: number): PatientSurvey => ({
  id: `0000000${day}-0000-4000-8000-000000000000`,
  type: 'ambu-survey-day',
  day,
  dueOn: `2026-03-0${day}`,
  formName: 'Recovery Survey',
  state: 'submitted',
  textedAt: null,
  reminders: 0,
  submittedAt: null,
  stationaryPainScore: 4,
  movementPainScore: 8,
  objectKey: null,
  lastTextState: null,
  lastTextProblem: null,
});

test('a day has medians from five answers on: those of fewer are hardly more than the patient', () => {
  const median = [
    { day: 1, stationary: 3, movement: 5, surveys: 5 },
    { day: 2, stationary: 4, movement: 8, surveys: 4 },
  ];
  const days = painDays({ surveys: [survey(1), survey(2)], median });
  expect(days.map(({ medianStationary, medianMovement }) => [medianStationary, medianMovement])).toEqual([
    [3, 5],
    [null, null],
  ]);
  expect(days.map(({ stationary, movement }) => [stationary, movement])).toEqual([
    [4, 8],
    [4, 8],
  ]);
});
