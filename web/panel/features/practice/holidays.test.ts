import { expect, test } from 'vitest';
import { holidaysAfter } from './holidays.ts';

const daysAfter = (today: string) => holidaysAfter(today).map(({ day }) => day);

test('the holidays of the next twelve months are in order, today included', () => {
  expect(daysAfter('2026-03-02')).toEqual([
    '2026-05-25',
    '2026-07-04',
    '2026-09-07',
    '2026-11-26',
    '2026-12-25',
    '2027-01-01',
  ]);
  expect(daysAfter('2026-11-27')).toEqual([
    '2026-12-25',
    '2027-01-01',
    '2027-05-31',
    '2027-07-04',
    '2027-09-06',
    '2027-11-25',
  ]);
  expect(daysAfter('2026-12-25')[0]).toBe('2026-12-25');
  expect(daysAfter('2028-02-29')).toHaveLength(6);
});
