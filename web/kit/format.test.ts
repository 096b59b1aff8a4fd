import { expect, test } from 'vitest';
import { formatDate, formatMoney, formatTime, minutesSince } from './format.tsx';

test("formatTime uses the office's time zone", () => {
  expect(formatTime('2026-03-02T13:14:00Z', 'en', 'America/New_York')).toMatch(/^8:14\sAM$/);
  expect(formatTime('2026-03-02T13:14:00Z', 'en', 'America/Los_Angeles')).toMatch(/^5:14\sAM$/);
});

test('formatDate gives the same day in every time zone', () => {
  expect(formatDate('2019-03-02', 'en')).toBe('03/02/2019');
});

test('formatMoney shows cents as dollars', () => {
  expect(formatMoney(123_450, 'en')).toBe('$1,234.50');
});

test('minutesSince is never negative, even with a wrong clock', () => {
  expect(minutesSince('2026-03-02T13:14:00Z', Date.parse('2026-03-02T13:13:00Z'))).toBe(0);
  expect(minutesSince('2026-03-02T13:14:00Z', Date.parse('2026-03-02T13:26:59Z'))).toBe(12);
});
