import { expect, test } from 'vitest';
import { readAppointments } from './read-appointments.ts';

const day = '2026-03-09';
const read = (text: string) => readAppointments(text, 'America/New_York', day);
const ada = { name: 'Ada Byron', phone: '2125550161', time: '2026-03-09T09:30', wrong: null };

test.each([
  ['a header', 'Name,Phone,Time\nAda Byron,(212) 555-0161,9:30 AM'],
  ['no header', 'Ada Byron,(212) 555-0161,9:30 AM'],
  ['the number first', '2125550161,Ada Byron,09:30'],
  ['the time first and more columns', '9:30 am;Ada Byron;+12125550161;;'],
  ['first and last name', 'First Name,Last Name,Mobile,Appointment time\nAda,Byron,212-555-0161,9:30 AM'],
  ['a birthday and two numbers', 'Patient,DOB,Home phone,Cell phone,Appt\nAda Byron,12/10/1990,,2125550161,9:30 AM'],
  ['date and time in one column', 'name,phone,appointment date/time\nAda Byron,2125550161,3/9/2026 9:30 AM'],
  ['date and time in two columns', 'Date,Time,Name,Phone\n03/09/2026,9:30 AM,Ada Byron,2125550161'],
  ['date and time in two columns without a header', '2026-03-09,9:30,Ada Byron,2125550161'],
  ['Spanish headings', 'Nombre;Teléfono;Hora\nAda Byron;2125550161;9:30'],
])('a list with %s is read', (_how, text) => {
  expect(read(text)).toMatchObject([ada]);
});

test.each([
  ['phone number,when', 'phone number,when\n2125550161,9:30 AM', ''],
  ['Phone,Slot', 'Phone,Slot\n2125550161,9:30 AM', ''],
  ['the word alone', 'Phone\n2125550161,9:30 AM', ''],
  ['two numbers and no word for the time', 'Home phone,Cell phone,Slot\n2125550100,2125550161,9:30 AM', ''],
  ['a birthday and no word for the time', 'Who,DOB,Phone,Slot\nAda Byron,12/10/1990,2125550161,9:30 AM', 'Ada Byron'],
])('a first line with “phone” and no number is a heading: %s', (_how, text, name) => {
  expect(read(text)).toEqual([{ ...ada, line: 2, name }]);
});

const badPhone = (problem: string, cell: string) => ({ phone: { problem, cell } });

test.each([
  ['Ada,2125550161,2:30', { phone: null, time: '2:30' }],
  ['Ada,2125550161,soon', { phone: null, time: 'soon' }],
  ['Ada,2125550161,', { phone: null, time: '' }],
  ['Ada,2125550161', { phone: null, time: '' }],
  ['Ada,call mom,9:30 AM', { ...badPhone('phone', 'call mom'), time: null }],
  ['Ada,5.55E+09,9:30 AM', { ...badPhone('shortened', '5.55E+09'), time: null }],
  ['Ada,call mom,soon', { ...badPhone('phone', 'call mom'), time: 'soon' }],
])('the row %j is bad: %j', (bad, wrong) => {
  expect(read(`Name,Phone,Time\nByron,2125550162,10 AM\n${bad}`)[1]).toMatchObject({ line: 3, name: 'Ada', wrong });
});

test.each([
  ['no number', 'Ada Byron,call mom,9:30 AM', { name: 'Ada Byron', wrong: badPhone('phone', 'call mom') }],
  ['a number that is too short', 'Ada Byron,555-0161,9:30 AM', { wrong: badPhone('phone', '555-0161') }],
  ['a number that Excel shortened', 'Ada Byron,5.55E+09,9:30 AM', { wrong: { phone: { problem: 'shortened' } } }],
  [
    'a name like a heading',
    'Marcella Hora,,9:30 AM',
    { name: 'Marcella Hora', wrong: { phone: { problem: 'phone' } } },
  ],
  ['a remark with “phone”', 'Ada Byron,has no phone,9:30 AM', { wrong: { phone: { problem: 'phone' } } }],
  ['headings that nobody knows', 'Wer,Wohin,Wann', { wrong: { phone: { problem: 'phone' } } }],
])('without headings, a first row with %s is not dropped', (_what, row, expected) => {
  expect(read(`${row}\nGrace Hopper,2125550162,10 AM`)).toMatchObject([
    { line: 1, ...expected },
    { line: 2, name: 'Grace Hopper', phone: '2125550162', wrong: null },
  ]);
});

test('a time in the afternoon is clear with PM and with 24 hours', () => {
  expect(read('A,2125550161,2:30 PM\nB,2125550162,14:30').map(({ time }) => time)).toEqual([
    '2026-03-09T14:30',
    '2026-03-09T14:30',
  ]);
});

test('an empty file has no rows', () => {
  expect(read('\n')).toEqual([]);
  expect(read('Name,Phone,Time\n')).toEqual([]);
});
