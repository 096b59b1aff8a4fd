import { expect, test } from 'vitest';
import { nextBusinessDay } from './business-day.ts';

const hours = { open: '08:00', close: '17:00' };
/** Tuesday to Saturday. */
const tuesdayToSaturday = [null, hours, hours, hours, hours, hours, null];
const closed = Array.from({ length: 7 }, () => null);

test.each([
  ['2026-03-05', null, '2026-03-06'],
  ['2026-03-06', null, '2026-03-09'],
  ['2026-03-08', null, '2026-03-09'],
  ['2026-12-31', null, '2027-01-01'],
  ['2026-03-06', tuesdayToSaturday, '2026-03-07'],
  ['2026-03-07', tuesdayToSaturday, '2026-03-10'],
  ['2026-03-06', closed, '2026-03-07'],
])('the next business day after %s is the next one when the office is open', (today, openingHours, next) => {
  expect(nextBusinessDay(today, { openingHours })).toBe(next);
});

test('the next business day is after the days on which the office is closed', () => {
  const closedDays = ['2026-12-25', '2026-12-28'].map((day) => ({ day, name: 'Holiday' }));
  expect(nextBusinessDay('2026-12-24', { openingHours: null, closedDays })).toBe('2026-12-29');
});
