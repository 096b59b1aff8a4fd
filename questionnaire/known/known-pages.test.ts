import { expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { earlierAnswers } from '#questionnaire/extras/earlier-answers.ts';
import { fromEarlier, isKnownPage } from './known-pages.ts';

const carried = (valueBoolean = true) => ({ extension: [{ url: urls.carriedOver, valueBoolean }] });
const option = { system: 'urn:x', code: 'yes', display: 'Yes' };
const form: Questionnaire = {
  resourceType: 'Questionnaire',
  item: [
    {
      linkId: 'group',
      type: 'group',
      ...carried(),
      item: [
        { linkId: 'city', type: 'string', required: true },
        { linkId: 'smokes', type: 'choice', answerOption: [{ valueCoding: option }] },
        { linkId: 'pregnant', type: 'boolean', required: true, ...carried(false) },
        { linkId: 'child', type: 'group', repeats: true, item: [{ linkId: 'name', type: 'string' }] },
      ],
    },
  ],
};
const [page] = pagesOf(form, {});
if (!page) throw new Error('no page');

test('only answers that the form still accepts are carried over', () => {
  const filed: Answers = {
    city: ['Brooklyn'],
    smokes: [{ system: 'urn:x', code: 'maybe' }],
    pregnant: [true],
    child: [2],
    'name#0': ['Ann'],
    'name#1': ['Bo'],
    gone: ['x'],
  };
  expect(earlierAnswers(form, filed)).toEqual({
    city: ['Brooklyn'],
    child: [2],
    'name#0': ['Ann'],
    'name#1': ['Bo'],
  });
});

test('a page is known once nothing on it is left to ask', () => {
  const earlier: Answers = { city: ['Brooklyn'], smokes: [option] };
  expect(isKnownPage(page, earlier, earlier)).toBe(false);
  expect(isKnownPage(page, { ...earlier, pregnant: [false] }, earlier)).toBe(true);
  expect(isKnownPage(page, { pregnant: [false], smokes: [option] }, { smokes: [option] })).toBe(false);
  expect(isKnownPage(page, { city: ['Queens'], pregnant: [false] }, { city: ['Brooklyn'] })).toBe(false);
});

test('a changed answer no longer counts as from the visit before', () => {
  const earlier: Answers = { city: ['Brooklyn'], smokes: [option] };
  expect(fromEarlier(page, earlier, earlier)).toBe('all');
  expect(fromEarlier(page, { city: ['Brooklyn'], smokes: [{ code: 'yes', system: 'urn:x' }] }, earlier)).toBe('all');
  expect(fromEarlier(page, { ...earlier, city: ['Queens'] }, earlier)).toBe('some');
  expect(fromEarlier(page, { city: ['Queens'] }, earlier)).toBe('none');
});
