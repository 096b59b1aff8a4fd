import { expect, test } from 'vitest';
import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import { urls } from '#questionnaire/extensions.ts';
import { feetAndInchesText } from './feet-and-inches.ts';
import { formOf } from '#questionnaire/form.ts';

const itemOf = (flag: boolean) =>
  formOf({
    resourceType: 'Questionnaire',
    item: [{ linkId: 'h', type: 'quantity', extension: [{ url: urls.feetAndInches, valueBoolean: flag }] }],
  }).all[0]!;

test.each([
  [64, 'en', '5 ft 4 in'],
  [71.5, 'en', '5 ft 11.5 in'],
  [71.9, 'en', '6 ft 0 in'],
  [64, 'es', '5 pies 4 pulg'],
] as const)('%d inches are %s: %s', (value, language, text) => {
  expect(feetAndInchesText(itemOf(true), { value, code: '[in_i]' }, language)).toBe(text);
});

test('5 feet and 14 inches are no length', () => {
  const item = itemOf(true);
  expect(kindProblem(item, { value: '5 14' as never, code: '[in_i]' })).toEqual({ code: 'not_feet_and_inches' });
  expect(kindProblem(item, { value: '5 14' as never, code: 'cm' })).toEqual({ code: 'not_a_number' });
});

test('another unit, and an item that does not ask for feet, keep their own text', () => {
  expect(feetAndInchesText(itemOf(true), { value: 170, code: 'cm' }, 'en')).toBeUndefined();
  expect(feetAndInchesText(itemOf(false), { value: 64, code: '[in_i]' }, 'en')).toBeUndefined();
});
