import { expect, test } from 'vitest';
import { newRow, problemsOf, rowsOfList, toDeliveryOptions, withList } from './rows-draft.ts';

const zone = 'America/New_York';
const now = Date.parse('2026-03-02T15:00:00Z'); // 10:00 AM
const row = (phone: string, sendAt: string | null = null) => ({ ...newRow(), phone, sendAt });

test.each([
  ['2125550161', null, false, false],
  ['212555016', null, true, false],
  ['', null, true, false],
  ['1125550161', null, true, false],
  ['2125550161', '2026-03-02T10:29', false, true],
  ['2125550161', '2026-03-02T10:30', false, false],
  ['2125550161', '2026-03-09T11:00', false, false],
  ['2125550161', '2026-03-09T11:01', false, true],
  ['2125550161', '', false, true],
])('the row %s at %s is judged by number and time', (phone, sendAt, badPhone, badTime) => {
  expect(problemsOf(row(phone, sendAt), zone, now)).toEqual({ phone: badPhone, time: badTime });
});

test('the rows of a file replace an empty first row and keep what is wrong with them', () => {
  const list = [
    { line: 2, phone: '2125550161', sendAt: null, problem: null, wrong: '' },
    { line: 3, phone: '2125550162', sendAt: null, problem: 'time' as const, wrong: 'tomorrow' },
  ];
  const rows = withList([newRow()], rowsOfList(list));
  expect(rows.map(({ line }) => line)).toEqual([2, 3]);
  expect(rows.map((of) => problemsOf(of, zone, now).time)).toEqual([false, true]);
  expect(withList([row('2125550163')], rows)).toHaveLength(3);
});

test('times are sent as instants, and no time as empty', () => {
  expect(toDeliveryOptions([row('2125550161'), row('2125550162', '2026-03-02T12:00')], zone)).toEqual([
    { phoneNumber: '+12125550161', sendAt: '' },
    { phoneNumber: '+12125550162', sendAt: '2026-03-02T17:00:00.000Z' },
  ]);
});
