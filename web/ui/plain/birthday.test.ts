import { expect, test } from 'vitest';
import { birthdayOf, partsOf } from './birthday.ts';

const today = new Date(2026, 2, 2);
const of = (month: string, day: string, year: string) => birthdayOf({ month, day, year }, today);

test('a birthday is a real day up to today', () => {
  expect(of('2', '9', '2019')).toBe('2019-02-09');
  expect(of('2', '29', '2024')).toBe('2024-02-29');
  expect(of('3', '2', '2026')).toBe('2026-03-02');
});

test.each([
  ['2', '30', '2019'],
  ['2', '29', '2023'],
  ['13', '1', '2019'],
  ['3', '3', '2026'],
  ['4', '2', '90'],
  ['4', '2', '1850'],
  ['', '2', '1990'],
])('%s/%s/%s is none', (month, day, year) => {
  expect(of(month, day, year)).toBeNull();
});

test('its parts and back', () => {
  expect(birthdayOf(partsOf('1990-04-02'), today)).toBe('1990-04-02');
});
