import { expect, test } from 'vitest';
import { limitOn } from './value-limits.ts';

test.each([
  ['a month before March 31', { today: -1, unit: 'month' }, '2026-03-31', '2026-02-28'],
  ['a month after January 31', { today: 1, unit: 'month' }, '2026-01-31', '2026-02-28'],
  ['18 years before February 29', { today: -18, unit: 'year' }, '2028-02-29', '2010-02-28'],
  ['a month before March 28', { today: -1, unit: 'month' }, '2026-03-28', '2026-02-28'],
] as const)('the limit %s is a day of that month', (_what, limit, today, day) => {
  expect(limitOn(limit, today)).toBe(day);
});
