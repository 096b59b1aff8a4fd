import { expect, test } from 'vitest';
import { parseDollars, toDollars } from './dollars.ts';

test.each([
  ['25', 2500],
  ['25.5', 2550],
  ['25,50', 2550],
  ['$1,025.00', 102500],
  [' 0.50 ', 50],
  ['1,000', 100000],
  ['19.99', 1999],
  ['', null],
  ['-5', null],
  ['1.234', null],
  ['ten', null],
  ['1e3', null],
])('parseDollars reads %j as %j', (typed, cents) => {
  expect(parseDollars(typed)).toBe(cents);
});

test('toDollars writes what parseDollars reads', () => {
  for (const cents of [50, 1999, 102500]) expect(parseDollars(toDollars(cents))).toBe(cents);
});
