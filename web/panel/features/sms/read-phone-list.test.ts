import { expect, test } from 'vitest';
import { mostRowsRead } from '#contract/sms.ts';
import { decodeText, TooManyRows } from './list-lines.ts';
import { readPhoneList } from './read-phone-list.ts';

const read = (text: string) => readPhoneList(text, 'America/New_York');
const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  '2125550161',
  '(212) 555-0161',
  '212-555-0161',
  '212.555.0161',
  '1 212 555 0161',
  '+1 (212) 555-0161',
  '+12125550161',
  '2.125550161E+09',
  '2125550161.0',
  'tel:+1-212-555-0161',
  '(212) 555-0161 ext. 12',
  '２１２５５５０１６１',
  '212-555-0161 cell',
  'Home: (212) 555-0161',
])('the spelling %j is one number', (spelled) => {
  expect(read(`"${spelled}",`)).toEqual([{ line: 1, name: '', phone: '2125550161', time: null, wrong: null }]);
});

test.each([
  ['5.55E+09', 'shortened'],
  ['2.12555E+09', 'shortened'],
  ['call mom', 'phone'],
  ['555-0161', 'phone'],
  ['+44 20 7946 0958', 'phone'],
  ['1125550161', 'phone'],
  ['+52 55 1234 5678', 'phone'],
  ['212-555-0161 or 212-555-0162', 'phone'],
  ['', 'phone'],
])('the number %j is bad: %s', (cell, problem) => {
  expect(read(`"${cell}",2026-03-02 10:00`)).toMatchObject([
    { line: 1, time: '2026-03-02T10:00', wrong: { phone: { problem, cell }, time: null } },
  ]);
});

test('a number and a time that are both bad are both marked', () => {
  expect(read('12,tomorrow')).toMatchObject([
    { time: null, wrong: { phone: { problem: 'phone', cell: '12' }, time: 'tomorrow' } },
  ]);
});

test.each([
  ['2026-03-02 14:30', '2026-03-02T14:30'],
  ['2026-03-02T14:30:00', '2026-03-02T14:30'],
  ['2026-03-02T14:30:00Z', '2026-03-02T09:30'],
  ['2026-03-02T14:30-0800', '2026-03-02T17:30'],
  ['3/2/2026 2:30 PM', '2026-03-02T14:30'],
  ['2026-03-02 2:30 PM', '2026-03-02T14:30'],
  ['03/02/26 14:30', '2026-03-02T14:30'],
  ['3/2/2026, 2:30:00 p.m.', '2026-03-02T14:30'],
  ['3/2/2026 12 AM', '2026-03-02T00:00'],
  ['', null],
])('the time %j is read as %s', (cell, time) => {
  expect(read(`2125550161,"${cell}"`)).toMatchObject([{ time, wrong: null }]);
});

test.each([
  'tomorrow',
  '2/30/2026 10:00',
  '3/2/2026 25:00',
  '3/2/2026 13:00 PM',
  '2026-03-02 13:00 PM',
  '3/2/2026',
  '10:00',
])('the time %j is bad', (cell) => {
  expect(read(`2125550161,"${cell}"`)).toMatchObject([{ wrong: { phone: null, time: cell } }]);
});

test.each([
  ['commas', '2125550161,\n2125550162,\n'],
  ['Windows line ends', '2125550161,\r\n2125550162,\r\n'],
  ['old Mac line ends', '2125550161,\r2125550162,\r'],
  ['semicolons', '2125550161;\n2125550162;'],
  ['semicolons and a header', 'Phone;Send at\r\n2125550161;\r\n"(212) 555-0162";\r\n'],
  ['semicolons and dates with commas', '2125550161;3/2/2026, 10:00\n2125550162;3/2/2026, 11:00'],
  ['tabs', '2125550161\t3/2/2026 10:00\n2125550162\t'],
  ['a header', 'Phone Number,Date\n2125550161,\n2125550162,'],
  ['a Spanish header', 'Teléfono;Hora de envío\n2125550161;\n2125550162;'],
  ['empty lines', '\n2125550161,\n\n , \n2125550162,\n\n'],
  ['quotes', '"2125550161","3/2/2026 10:00"\n"2125550162",""'],
  ['more columns', '2125550161,,Ada\n2125550162,,"Byron, Allegra"'],
])('a list with %s has two numbers', (_how, text) => {
  expect(read(text).map(({ phone, wrong }) => [phone, wrong])).toEqual([
    ['2125550161', null],
    ['2125550162', null],
  ]);
});

test('a row with one column is bad', () => {
  expect(read('2125550161\n2125550162')).toMatchObject([
    { wrong: { phone: { problem: 'columns' } } },
    { wrong: { phone: { problem: 'columns' } } },
  ]);
});

test('a bad number in a row with one column is called a bad number', () => {
  expect(read('555-0161\n+52 55 1234 5678')).toMatchObject([
    { wrong: { phone: { problem: 'phone' } } },
    { wrong: { phone: { problem: 'phone' } } },
  ]);
});

test.each([
  ['a note with the word', '2125550162,,"call her work phone"', { line: 2, phone: '2125550162', wrong: null }],
  ['a bad number and the word', 'phone: 555-0161,', { line: 2, wrong: { phone: { problem: 'phone' } } }],
  ['a second heading', 'Phone,Send at', { line: 2, wrong: { phone: { cell: 'Phone' } } }],
])('a row with “phone” below the first line is not skipped: %s', (_which, row, expected) => {
  expect(read(`2125550161,\n${row}`)[1]).toMatchObject(expected);
});

test('a first line with “phone” and a number is a row, not a heading', () => {
  expect(read('2125550161,,work phone\n2125550162,')).toMatchObject([{ line: 1, wrong: null }, { line: 2 }]);
  expect(read('phone 555-01612,\n2125550162,')).toMatchObject([
    { line: 1, wrong: { phone: { problem: 'phone' } } },
    { line: 2 },
  ]);
});

test('a bad row is named by its line in the file, also after a cell with line breaks', () => {
  expect(read('phone,time\n2125550161,,"two\nlines"\nnobody,')).toMatchObject([
    { line: 2, wrong: null },
    { line: 4, wrong: { phone: { problem: 'phone' } } },
  ]);
});

test('a list of 50,000 rows is read, a longer one is refused', () => {
  expect(read('2125550161,\n'.repeat(mostRowsRead))).toHaveLength(mostRowsRead);
  expect(() => read('2125550161,\n'.repeat(mostRowsRead + 1))).toThrow(TooManyRows);
});

const text = 'Teléfono (phone),hora\n2125550161,3/2/2026 10:00';
const utf16 = (mark: boolean, little: boolean) => {
  const units = [...(mark ? [0xfeff] : []), ...Array.from(text, (character) => character.charCodeAt(0))];
  return Uint8Array.from(units.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
};

test.each([
  ['UTF-8', bytesOf(text)],
  ['UTF-8 with a mark', bytesOf(`\uFEFF${text}`)],
  ['UTF-16, little-endian', utf16(true, true)],
  ['UTF-16, big-endian', utf16(true, false)],
  ['UTF-16 without a mark', utf16(false, true)],
  ['UTF-16, big-endian, without a mark', utf16(false, false)],
  ['Windows-1252', Uint8Array.from(text, (character) => character.charCodeAt(0))],
])('a file in %s is read', (_encoding, bytes) => {
  expect(decodeText(bytes)).toBe(text);
});
