import { expect, test } from 'vitest';
import { shortFormName } from './form-name.ts';

test.each([
  ['COVID', 'COVID'],
  ['Survey', 'Survey'],
  ['Consent', 'Consen...'],
  ['Photo ID', 'Photo ...'],
])('%s is shown as %s', (name, shown) => {
  expect(shortFormName(name)).toBe(shown);
});
