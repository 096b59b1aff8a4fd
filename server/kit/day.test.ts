import { describe, expect, test } from 'vitest';
import { dayOf, instantOf, parseDay } from './day.ts';

const newYork = 'America/New_York';

describe('the day of an instant', () => {
  test.each([
    ['2026-03-03T04:59:59.999Z', newYork, '2026-03-02'],
    ['2026-03-03T05:00:00.000Z', newYork, '2026-03-03'],
    ['2026-07-04T03:59:59.999Z', newYork, '2026-07-03'],
    ['2026-07-04T04:00:00.000Z', newYork, '2026-07-04'],
    ['2026-03-03T06:59:59.999Z', 'America/Phoenix', '2026-03-02'],
    ['2026-03-03T09:59:59.999Z', 'Pacific/Honolulu', '2026-03-02'],
    ['2026-03-02T14:00:00.000Z', 'Pacific/Guam', '2026-03-03'],
    ['2026-03-02T23:59:59.999Z', 'UTC', '2026-03-02'],
  ])('dayOf %s in %s is %s', (at, zone, day) => expect(dayOf(new Date(at), zone)).toBe(day));
});

describe('the instant of a wall-clock time', () => {
  test.each([
    ['2026-03-02', '00:00', newYork, '2026-03-02T05:00:00.000Z'],
    ['2026-03-02', '24:00', newYork, '2026-03-03T05:00:00.000Z'],
    // the night clocks spring forward: 02:30 never happens, it is taken as an hour later; the day has 23 hours
    ['2026-03-08', '00:00', newYork, '2026-03-08T05:00:00.000Z'],
    ['2026-03-08', '02:30', newYork, '2026-03-08T07:30:00.000Z'],
    ['2026-03-08', '24:00', newYork, '2026-03-09T04:00:00.000Z'],
    // the night they fall back: 01:30 happens twice, the first is meant; the day has 25 hours
    ['2026-11-01', '01:30', newYork, '2026-11-01T05:30:00.000Z'],
    ['2026-11-01', '24:00', newYork, '2026-11-02T05:00:00.000Z'],
    ['2026-12-31', '24:00', newYork, '2027-01-01T05:00:00.000Z'],
  ])('instantOf %s %s in %s is %s', (day, time, zone, at) => expect(instantOf(day, time, zone).toISOString()).toBe(at));

  test('every hour of a year falls within the day dayOf gives it', () => {
    for (let hour = 0; hour < 366 * 24; hour++) {
      const at = new Date(Date.UTC(2026, 0, 1, 5) + hour * 3_600_000);
      const day = dayOf(at, newYork);
      const [from, to] = [instantOf(day, '00:00', newYork), instantOf(day, '24:00', newYork)];
      if (!(from <= at && at < to)) throw new Error(`${at.toISOString()} is not within ${day}`);
    }
  });
});

describe('a day in a path or query', () => {
  test.each([
    ['03022026', 'MMDDYYYY', '2026-03-02'],
    ['20260302', 'YYYYMMDD', '2026-03-02'],
    ['02292028', 'MMDDYYYY', '2028-02-29'],
    ['02292026', 'MMDDYYYY', null],
    ['20260631', 'YYYYMMDD', null],
    ['01010000', 'MMDDYYYY', null],
    ['00000101', 'YYYYMMDD', null],
    ['', 'YYYYMMDD', null],
  ] as const)('parseDay %j as %s is %j', (text, form, day) => expect(parseDay(text, form)).toBe(day));
});
