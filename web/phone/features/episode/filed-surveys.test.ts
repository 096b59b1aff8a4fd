import { expect, test } from 'vitest';
import type { EpisodeSurvey } from '#contract/ambulatory/episode.ts';
import { adviceOfToday } from './advice-of-today.ts';
import { withFiledSurveys } from './filed-surveys.ts';

const open: EpisodeSurvey = {
  id: '0196fe0c-0000-7000-8000-000000000001',
  type: 'ambu-survey-day',
  day: 1,
  formName: 'Recovery Survey',
  state: 'open',
  started: true,
  submittedAt: null,
  openUntil: '2026-03-05T05:00:00Z',
  advice: null,
};
const submittedAt = '2026-03-04T15:00:00Z';

test('a survey that was filed on this page is answered, and what to do stays, before the server is asked again', () => {
  const filed = new Map([[open.id, { advice: 'call-911' as const, callback: true, submittedAt }]]);
  const surveys = withFiledSurveys([open], filed);
  expect(surveys).toMatchObject([{ state: 'submitted', advice: 'call-911', submittedAt, openUntil: null }]);
  expect(adviceOfToday({ surveys, timeZone: 'America/New_York', now: '2026-03-04T15:00:10Z' })).toBe('call-911');
});

test('surveys that were not filed here, or that the server has as submitted, stay as they are', () => {
  const known = { ...open, state: 'submitted' as const, advice: 'none' as const, submittedAt };
  const filed = new Map([[known.id, { advice: 'call-911' as const, callback: true, submittedAt }]]);
  expect(withFiledSurveys([known], filed)).toEqual([known]);
  expect(withFiledSurveys([open], new Map())).toEqual([open]);
});
