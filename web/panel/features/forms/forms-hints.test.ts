import { expect, test } from 'vitest';
import { changesFormsLists } from './forms-hints.ts';

test.each(['checkin', 'forms', 'refetch'])('the forms lists are fetched again after the hint %s', (type) => {
  expect(changesFormsLists({ type })).toBe(true);
});

test('the forms lists are left alone by a message', () => {
  expect(changesFormsLists({ type: 'message' })).toBe(false);
});
