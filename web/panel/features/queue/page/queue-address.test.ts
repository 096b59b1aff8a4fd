import { expect, test } from 'vitest';
import { readQueueAddress } from './queue-address.ts';

test('the address names tab, visit and day', () => {
  const visit = '01a1fc10-f769-7284-b44b-818d585643e0';
  expect(readQueueAddress({ tab: 'history', visit, day: '2026-03-02' })).toEqual({
    tab: 'history',
    visit,
    day: '2026-03-02',
  });
});

test('values that it does not understand are left out', () => {
  expect(readQueueAddress({ tab: 'x', visit: '<script>', day: '2026-13-40', name: 'Grace' })).toEqual({});
  expect(readQueueAddress({ day: '2026-02-31' })).toEqual({});
});
