import { expect, test } from 'vitest';
import { readPhoneList } from './read-phone-list.ts';
import {
  hasNoTimeColumn,
  isMarkedAtOnce,
  isOutOfRange,
  newRow,
  problemsOf,
  rowsOfList,
  toDeliveryOptions,
  withList,
  withPhone,
  withTime,
} from './rows-draft.ts';

const zone = 'America/New_York';
const now = Date.parse('2026-03-02T15:00:00Z'); // 10:00 AM
const row = (phone: string, time: string | null = null) => ({ ...newRow(), phone, time });

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
])('the row %s at %s is judged by number and time', (phone, time, badPhone, badTime) => {
  expect(problemsOf(row(phone, time), { timeZone: zone, now })).toEqual({ phone: badPhone, time: badTime });
});

test('the rows of a file replace an empty first row and keep what is wrong with them', () => {
  const list = [
    { line: 2, name: '', phone: '2125550161', time: null, wrong: null },
    { line: 3, name: 'Ada', phone: '2125550162', time: null, wrong: { phone: null, time: 'tomorrow' } },
  ];
  const rows = withList([newRow()], rowsOfList(list));
  expect(rows.map(({ line }) => line)).toEqual([2, 3]);
  expect(rows.map((of) => problemsOf(of, { timeZone: zone, now }).time)).toEqual([false, true]);
  expect(withList([row('2125550163')], rows)).toHaveLength(3);
});

const uploaded = (line: string) => {
  const [first = newRow()] = rowsOfList(readPhoneList(line, zone));
  return first;
};
const judged = (of: ReturnType<typeof newRow>) => problemsOf(of, { timeZone: zone, now });

test.each(['12', '5.55E+09', '212-555-0161 cell'])(
  'a row with the number %j is sent at the time of its file',
  (cell) => {
    const corrected = withPhone(uploaded(`${cell},3/3/2026 9:00 AM`), '2125550161');
    expect(judged(corrected)).toEqual({ phone: false, time: false });
    expect(toDeliveryOptions([corrected], zone)).toEqual([
      { phoneNumber: '+12125550161', sendAt: '2026-03-03T14:00:00.000Z' },
    ]);
  },
);

test('a bad time stays marked after the number was corrected, and a bad number after the time was', () => {
  const both = uploaded('12,tomorrow');
  expect(judged(both)).toEqual({ phone: true, time: true });
  expect(judged(withPhone(both, '2125550161'))).toEqual({ phone: false, time: true });
  expect(judged(withTime(both, null))).toEqual({ phone: true, time: false });
  expect(judged(withTime(withPhone(both, '2125550161'), null))).toEqual({ phone: false, time: false });
});

test('a number without a column for the time is mended with an empty time, and a bad one is not', () => {
  const [good, abroad] = [uploaded('212-555-0161'), uploaded('+52 55 1234 5678')];
  expect([good, abroad].map(hasNoTimeColumn)).toEqual([true, false]);
  expect(judged(good).phone).toBe(true);
  expect(judged(withTime(good, null))).toEqual({ phone: false, time: false });
  expect(judged(withTime(abroad, null)).phone).toBe(true);
});

test('the first ten digits of a longer number are marked until somebody types the number', () => {
  const abroad = uploaded('+52 55 1234 5678,');
  expect(judged(abroad).phone).toBe(true);
  expect(judged(withPhone(abroad, '2125550161')).phone).toBe(false);
});

test('the rows of a file are marked at once, a row typed on the screen is not', () => {
  const past = uploaded('2125550161,3/1/2026 9:00 AM');
  expect(past.wrong).toBeNull();
  expect(isMarkedAtOnce(past)).toBe(true);
  expect(isMarkedAtOnce(withTime(past, '2026-03-02T10:01'))).toBe(true);
  expect(isMarkedAtOnce(newRow())).toBe(false);
  expect(isMarkedAtOnce({ ...newRow(), refused: true })).toBe(true);
});

test.each([
  ['2125550161,3/1/2026 9:00 AM', true],
  ['2125550161,3/20/2026 9:00 AM', true],
  ['2125550161,3/3/2026 9:00 AM', false],
  ['2125550161,tomorrow', false],
  ['2125550161,', false],
  ['12,', false],
])('of the row %j, a time outside of the range is reported: %s', (line, isReported) => {
  expect(isOutOfRange(uploaded(line), { timeZone: zone, now })).toBe(isReported);
});

test('times are sent as instants, and no time as empty', () => {
  expect(toDeliveryOptions([row('2125550161'), row('2125550162', '2026-03-02T12:00')], zone)).toEqual([
    { phoneNumber: '+12125550161', sendAt: '' },
    { phoneNumber: '+12125550162', sendAt: '2026-03-02T17:00:00.000Z' },
  ]);
});

test.each([
  [null, true],
  ['2026-03-02T09:59', true],
  ['2026-03-02T10:00', true],
  ['2026-03-02T10:01', false],
  ['2026-03-09T11:00', false],
  ['2026-03-09T11:01', true],
])('an appointment at %s is judged by its own range', (time, isBad) => {
  const problems = problemsOf(row('2125550161', time), { timeZone: zone, now, mode: 'appointment' });
  expect(problems).toEqual({ phone: false, time: isBad });
});

test('appointments are sent as instants of the office’s clock, also after the night when the clocks go forward', () => {
  expect(toDeliveryOptions([row('2125550161', '2026-03-09T09:00')], zone, 'appointment')).toEqual([
    { phoneNumber: '+12125550161', appointmentAt: '2026-03-09T13:00:00.000Z' },
  ]);
});
