import { expect, test } from 'vitest';
import { editBirthDate, readBirthDate, showBirthDate } from './birth-date.ts';

const today = '2026-03-02';
const read = (text: string) => readBirthDate(text, today);

test.each([
  ['04/02/1990', '1990-04-02'],
  ['4/2/1990', '1990-04-02'],
  ['4-2-1990', '1990-04-02'],
  ['4.2.1990', '1990-04-02'],
  ['04 / 02 / 1990', '1990-04-02'],
  ['04021990', '1990-04-02'],
  ['1990-04-02', '1990-04-02'],
  ['02/29/2024', '2024-02-29'],
  ['01/01/1900', '1900-01-01'],
  ['03/02/2026', '2026-03-02'],
  ['０４/０２/１９９０', '1990-04-02'],
])('readBirthDate reads %s as %s', (text, date) => {
  expect(read(text)).toEqual({ date });
});

test.each([
  ['', 'date-missing'],
  ['04/02', 'date-incomplete'],
  ['04/02/90', 'date-incomplete'],
  ['4/2/199', 'date-incomplete'],
  ['April 2', 'date-incomplete'],
  ['02/29/2023', 'no-such-day'],
  ['13/01/1990', 'no-such-day'],
  ['00/10/1990', 'no-such-day'],
  ['03/03/2026', 'date-ahead'],
  ['12/31/1899', 'date-too-old'],
  ['01/01/0090', 'date-too-old'],
])('readBirthDate refuses %s: %s', (text, wrong) => {
  expect(read(text)).toEqual({ wrong });
});

/** Types one key after the other at the end of the field. */
const type = (keys: string) => [...keys].reduce((before, key) => editBirthDate(before, before + key), '');

test.each([
  ['04021990', '04/02/1990'],
  ['4/2/1990', '04/2/1990'],
  ['04/02/1990', '04/02/1990'],
  ['421990', '04/21/990'],
  ['12251987', '12/25/1987'],
  ['1/5/2001', '01/5/2001'],
  ['0402199099', '04/02/1990'],
])('typing %s shows %s', (keys, shown) => {
  expect(type(keys)).toBe(shown);
});

test('a pasted or autofilled date gets the format of the field', () => {
  expect(editBirthDate('', '1990-04-02')).toBe('04/02/1990');
  expect(editBirthDate('', '04021990')).toBe('04/02/1990');
  expect(showBirthDate('1990-04-02')).toBe('04/02/1990');
});

test('editBirthDate leaves deletions and edits in the middle unchanged', () => {
  expect(editBirthDate('04/02/', '04/02')).toBe('04/02');
  expect(editBirthDate('04/02', '04/0')).toBe('04/0');
  expect(editBirthDate('04/02/1990', '0/02/1990')).toBe('0/02/1990');
  expect(editBirthDate('04/02/1990', '104/02/1990')).toBe('104/02/1990');
});
