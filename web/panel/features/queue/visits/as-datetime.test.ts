import { expect, test } from 'vitest';
import { asDatetime } from './as-datetime.ts';

test('the API takes a day as MMDDYYYY', () => {
  expect(asDatetime('2026-03-02')).toBe('03022026');
});
