import { expect, test } from 'vitest';
import { dateOf, longDate, partsOf } from '#web/questionnaire/dates/dates.ts';
import { readNumber } from '#web/questionnaire/read-number.ts';
import { instantOf } from './instant.ts';

test('readNumber reads numbers as people type them and returns any other text unchanged', () => {
  expect(['12', ' 1.5 ', '1,5', '1,200', '1,200.5', '-3', '.5', '1.'].map(readNumber)).toEqual([
    12, 1.5, 1.5, 1200, 1200.5, -3, 0.5, 1,
  ]);
  for (const text of ['twelve', '1.2.3', '12 kg', '1e5', '--1', '']) expect(readNumber(text)).toBe(text);
});

test('dateOf makes a date from three fields; the day, or the day and the month, may be missing', () => {
  expect(dateOf({ month: '2', day: '3', year: '1980' })).toBe('1980-02-03');
  expect(dateOf({ month: '2', day: '', year: '1980' })).toBe('1980-02');
  expect(dateOf({ month: '', day: '', year: '1980' })).toBe('1980');
  expect(dateOf({ month: '', day: '', year: '' })).toBe('');
});

test('partsOf returns an incomplete date as it was typed', () => {
  for (const parts of [
    { month: '2', day: '3', year: '80' },
    { month: '', day: '3', year: '1980' },
    { month: '1', day: '', year: '' },
  ])
    expect(partsOf(dateOf(parts))).toEqual(parts);
  expect(partsOf('1980-02-03')).toEqual({ month: '2', day: '3', year: '1980' });
});

test('longDate writes out a day only if it exists', () => {
  expect(longDate('1980-02-03', 'en')).toBe('February 3, 1980');
  expect(longDate('1980-02-03', 'es')).toBe('3 de febrero de 1980');
  expect(longDate('1980-02-30', 'en')).toBe('');
  expect(longDate('1980', 'en')).toBe('');
});

test('instantOf adds the time zone of the phone', () => {
  expect(instantOf('2026-03-02', '09:30')).toMatch(/^2026-03-02T09:30:00[+-]\d\d:\d\d$/);
  expect(instantOf('2026-13-02', '09:30')).toBe('2026-13-02 09:30');
});
