import { expect, test } from 'vitest';
import { dayOf, daysFrom, instantOfWallTime, timeOfDay, wallTimeAt, weekdayOf } from './office-clock.ts';

test.each([
  ['2026-03-02T09:30', 'America/New_York', '2026-03-02T14:30:00.000Z'],
  ['2026-07-02T00:00', 'America/Denver', '2026-07-02T06:00:00.000Z'],
  ['2026-07-02T23:59', 'Pacific/Honolulu', '2026-07-03T09:59:00.000Z'],
  // The clocks go back at 2 AM: 1:30 AM happens twice, and the first one is meant.
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01T02:30', 'America/New_York', '2026-11-01T07:30:00.000Z'],
  // The clocks go forward at 2 AM: 2:30 AM does not happen.
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-03-08T03:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-03-08T02:30', 'America/Phoenix', '2026-03-08T09:30:00.000Z'],
])('%s in %s is the instant %s', (wallTime, timeZone, instant) => {
  expect(new Date(instantOfWallTime(wallTime, timeZone) ?? 0).toISOString()).toBe(instant);
});

test.each(['', 'tomorrow', '2026-13-01T10:00', '2026-03-02'])('%j is no time', (wallTime) => {
  expect(instantOfWallTime(wallTime, 'America/New_York')).toBeNull();
});

test('an instant is shown as the office’s clock shows it, midnight as 00', () => {
  expect(wallTimeAt(Date.parse('2026-03-02T05:00:00Z'), 'America/New_York')).toBe('2026-03-02T00:00');
});

const lateEvening = Date.parse('2026-03-03T04:30:00Z');

test("a day is the office's day", () => {
  expect(dayOf(lateEvening, 'America/New_York')).toBe('2026-03-02');
  expect(dayOf(lateEvening, 'America/Los_Angeles')).toBe('2026-03-02');
  expect(dayOf(lateEvening, 'UTC')).toBe('2026-03-03');
  expect(dayOf('2026-03-03T04:30:00Z', 'America/New_York')).toBe('2026-03-02');
  expect(timeOfDay(lateEvening, 'America/New_York')).toBe('23:30');
});

test('days are counted over a change of the clocks and over a new year', () => {
  expect(daysFrom('2026-03-07', 1)).toBe('2026-03-08');
  expect(daysFrom('2026-03-09', -1)).toBe('2026-03-08');
  expect(daysFrom('2026-01-01', -1)).toBe('2025-12-31');
});

test('a week starts on Monday', () => {
  expect(weekdayOf('2026-03-02')).toBe(0);
  expect(weekdayOf('2026-03-01')).toBe(6);
});
