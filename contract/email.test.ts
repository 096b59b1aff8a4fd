import { expect, test } from 'vitest';
import { emailPattern, optionalEmailPattern } from './email.ts';

test.each([
  ['front@maple.test', true],
  ['a@b.c', true],
  ['front@maple', false],
  ['front maple@a.test', false],
  ['@maple.test', false],
  ['front@', false],
  ['', false],
])('emailPattern takes %j as an email address: %s', (email, valid) => {
  expect(emailPattern.test(email)).toBe(valid);
  expect(optionalEmailPattern.test(email)).toBe(valid || email === '');
});
