import { expect, test } from 'vitest';
import { formatDate, formatMoney, formatPhone, formatTime, minutesSince } from './format.tsx';

test('phones as people read them', () => {
  expect(formatPhone('+12125550101')).toBe('(212) 555-0101');
  expect(formatPhone('+442079460958')).toBe('+442079460958');
});

test('times are those of the office', () => {
  expect(formatTime('2026-03-02T13:14:00Z', 'en', 'America/New_York')).toMatch(/^8:14\sAM$/);
  expect(formatTime('2026-03-02T13:14:00Z', 'en', 'America/Los_Angeles')).toMatch(/^5:14\sAM$/);
});

test('a birthday is the same day everywhere', () => {
  expect(formatDate('2019-03-02', 'en')).toBe('03/02/2019');
});

test('cents are dollars', () => {
  expect(formatMoney(123_450, 'en')).toBe('$1,234.50');
});

test('a wrong clock never shows a wait below zero', () => {
  expect(minutesSince('2026-03-02T13:14:00Z', Date.parse('2026-03-02T13:13:00Z'))).toBe(0);
  expect(minutesSince('2026-03-02T13:14:00Z', Date.parse('2026-03-02T13:26:59Z'))).toBe(12);
});
