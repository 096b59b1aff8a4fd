import { expect, test } from 'vitest';
import { parseEpisodePath, surveyAddress } from './episode-address.ts';

const token = 'b7Zk0Qf1S2h3L4m5N6p7Qw';
const surveyId = '0197d6b2-1111-7222-8333-444455556666';

test('the addresses after surgery show the overview, a survey, or a page of it', () => {
  expect(parseEpisodePath(`/episode/${token}`)).toEqual({ token, survey: null });
  expect(parseEpisodePath(surveyAddress(token, surveyId))).toEqual({ token, survey: { surveyId, step: null } });
  expect(parseEpisodePath(`${surveyAddress(token, surveyId)}/2`)?.survey?.step).toBe('2');
});

test('every other address shows nothing', () => {
  expect(parseEpisodePath(`/episode/${token}/forms`)).toBeNull();
  expect(parseEpisodePath('/episode/')).toBeNull();
});
