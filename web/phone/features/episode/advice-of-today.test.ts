import { expect, test } from 'vitest';
import type { EpisodeSurvey } from '#contract/ambulatory/episode.ts';
import { adviceOfToday } from './advice-of-today.ts';

const survey: EpisodeSurvey = {
  id: '0196fe0c-0000-7000-8000-000000000001',
  type: 'ambu-survey-day',
  day: 1,
  formName: 'Recovery Survey',
  state: 'submitted',
  started: true,
  submittedAt: '2026-03-04T05:01:00Z',
  openUntil: null,
  advice: 'call-911',
};

test('a warning sign that is submitted just after midnight is on the page until the next midnight', () => {
  const at = (now: string) => adviceOfToday({ surveys: [survey], timeZone: 'America/New_York', now });
  expect(at('2026-03-04T05:02:00Z')).toBe('call-911');
  expect(at('2026-03-05T04:59:00Z')).toBe('call-911');
  expect(at('2026-03-05T05:00:00Z')).toBe('none');
});
