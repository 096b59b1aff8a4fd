import { expect, test } from 'vitest';
import { packRows, unpackRows } from './packed-rows.ts';
import { readAppointments } from './read-appointments.ts';
import { readPhoneList } from './read-phone-list.ts';

test('rows come out of the worker as they went in, good and bad ones in their order', () => {
  const file =
    'Phone,Time\n2125550161,3/2/2026 2:30 PM\n5.55E+09,\n(212) 555-0162,\nnobody,x\n2125550163\n2125550164,3/2/2026 2:30 PM';
  const rows = readPhoneList(file, 'America/New_York');
  expect(rows.map(({ line, wrong }) => [line, wrong?.phone?.problem ?? null])).toEqual([
    [2, null],
    [3, 'shortened'],
    [4, null],
    [5, 'phone'],
    [6, 'columns'],
    [7, null],
  ]);
  expect([...unpackRows(packRows(rows), 4)].flat()).toEqual(rows);
});

test('appointments keep their names', () => {
  const file = 'Name,Mobile,Time\nAda Byron,2125550161,2:30 PM\n,2125550162,3 PM';
  const rows = readAppointments(file, 'America/New_York', '2026-03-02');
  expect(rows.map(({ name }) => name)).toEqual(['Ada Byron', '']);
  expect([...unpackRows(packRows(rows), 4)].flat()).toEqual(rows);
});
