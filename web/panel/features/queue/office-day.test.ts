import { expect, test } from 'vitest';
import { asDatetime, dayOf, daysFrom, wallTimeOf, weekdayOf } from './office-day.ts';

const lateEvening = Date.parse('2026-03-03T04:30:00Z');

test("a day is the office's day", () => {
  expect(dayOf(lateEvening, 'America/New_York')).toBe('2026-03-02');
  expect(dayOf(lateEvening, 'America/Los_Angeles')).toBe('2026-03-02');
  expect(dayOf(lateEvening, 'UTC')).toBe('2026-03-03');
  expect(wallTimeOf(lateEvening, 'America/New_York')).toBe('23:30');
});

test('days are counted over a change of the clocks and over a new year', () => {
  expect(daysFrom('2026-03-07', 1)).toBe('2026-03-08');
  expect(daysFrom('2026-03-09', -1)).toBe('2026-03-08');
  expect(daysFrom('2026-01-01', -1)).toBe('2025-12-31');
});

test('a week starts on Monday, and the API writes a day as MMDDYYYY', () => {
  expect(weekdayOf('2026-03-02')).toBe(0);
  expect(weekdayOf('2026-03-01')).toBe(6);
  expect(asDatetime('2026-03-02')).toBe('03022026');
});
