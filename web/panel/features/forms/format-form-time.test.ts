import { expect, test } from 'vitest';
import { formatFormTime } from './format-form-time.ts';

test('a form tells its moment by the office’s clock, midnight as 00', () => {
  expect(formatFormTime('2026-03-02T13:05:59Z', 'America/New_York')).toBe('2026-03-02 08:05 hs');
  expect(formatFormTime('2026-03-02T05:00:00Z', 'America/New_York')).toBe('2026-03-02 00:00 hs');
  expect(formatFormTime('2026-07-02T20:30:00Z', 'America/Los_Angeles')).toBe('2026-07-02 13:30 hs');
});
