import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test.each([
  ['=1+1', `"'=1+1"`],
  ['  @SUM(A1)', `"'  @SUM(A1)"`],
  ['\uFF1Dcmd', `"'\uFF1Dcmd"`],
  ['-2', `"'-2"`],
  ['O’Brien, Ann', '"O’Brien, Ann"'],
  ['say "hi"', '"say ""hi"""'],
  ['a;b\tc\nd', 'a b c d'],
  ['Grace Hopper', 'Grace Hopper'],
])('the cell %j starts no formula and stays one cell', (value, written) => {
  expect(csvOf([[value]])).toBe(`\uFEFF${written}\r\n`);
});

test('a CSV has a line for each row and commas between its cells', () => {
  expect(
    csvOf([
      ['a', 'b'],
      ['', 'c'],
    ]),
  ).toBe('\uFEFFa,b\r\n,c\r\n');
});
