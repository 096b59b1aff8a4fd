import { expect, test } from 'vitest';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { scoreAnswers } from './score-answers.ts';

const settings = { surveyTime: '09:00', painLimit: 7, watchedWords: ['bleed'], phone: null };

test.each([
  ['text', ['It is bleeding'], ['word']],
  ['open-choice', ['It is bleeding'], ['word']],
  ['open-choice', [{ code: 'bleeding', display: 'Bleeding' }], []],
] as const)('a watched word is found in what the patient wrote: %s %j', (type, values, codes) => {
  const item = [{ linkId: 'other', type, text: 'Other' }];
  const questionnaire: Questionnaire = { resourceType: 'Questionnaire', item };
  const { reasons } = scoreAnswers(questionnaire, { other: [...values] }, { settings, before: null });
  expect(reasons.map(({ code }) => code)).toEqual(codes);
});
