import { expect, test } from 'vitest';
import { paymentsEntry, unlockedStep } from './merchant.ts';

const nothing = { addressAnswers: null, detailsAnswers: null, identity: null, bank: null };

test.each([
  [{}, 1],
  [{ addressAnswers: {} }, 2],
  [{ detailsAnswers: {} }, 3],
  [{ addressAnswers: {}, detailsAnswers: {} }, 3],
  [{ identity: 'ID1' }, 4],
  [{ bank: { lastFour: null } }, 5],
])('with %j the last step that may be opened is %i', (given, step) => {
  expect(unlockedStep({ ...nothing, ...given })).toBe(step);
});

test.each([
  ['AthenaOne', false, 'payments'],
  ['AthenaOne', true, null],
  ['N/A', false, 'athena-payments'],
  ['', false, 'athena-payments'],
  ['N/A', true, null],
  ['Epic', false, null],
])('the settings entry of an office with %j and payment identity %s is %s', (emr, paymentIdentity, entry) => {
  expect(paymentsEntry({ emr, paymentIdentity })).toBe(entry);
});
