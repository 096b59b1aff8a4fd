import { expect, test } from 'vitest';
import { readPattern } from './pattern.ts';

const rows: [string, string[], string[]][] = [
  ['\\d{5}(-\\d{4})?', ['12345', '12345-6789'], ['1234', '123456', '12345-', ' 12345']],
  ['[A-Z]{2}', ['NY'], ['ny', 'NYC', '']],
  ['[^@\\s]+@[^@\\s]+\\.[a-z]{2,}', ['a@b.org'], ['a@b', 'a b@c.org', '@.org']],
  ['(yes|no)', ['yes', 'no'], ['yesno', 'YES']],
  ['^a.*z$', ['az', 'a--z'], ['za', 'a\nz']],
  ['a{2,}', ['aa', 'aaaaa'], ['a']],
  ['\\u00e9\\x41\\t', ['éA\t'], ['eA']],
  ['[\\w.-]+', ['a_b-c.9'], ['a b']],
  ['(?:ab)*c?', ['', 'abab', 'ababc'], ['aba']],
  ['😀+', ['😀😀'], ['😀a']],
  [
    '(\\+?1[ .-]?)?\\(?\\d{3}\\)?[ .-]?\\d{3}[ .-]?\\d{4}',
    ['(212) 555-0101', '+12125550101', '212.555.0101'],
    ['555-0101'],
  ],
  ['', [''], ['a']],
  ['a|', ['a', ''], ['b']],
];

test.each(rows)('%s fits as a regular expression does', (source, fitting, others) => {
  const pattern = readPattern(source);
  for (const text of fitting) expect(pattern?.(text), text).toBe(true);
  for (const text of others) expect(pattern?.(text), text).toBe(false);
  for (const text of [...fitting, ...others])
    expect(pattern?.(text), text).toBe(new RegExp(`^(?:${source})$`, 'u').test(text));
});

test.each([
  '(?=a)b',
  '(?<!a)b',
  '(a)\\1',
  '[b-a]',
  'a**',
  '*a',
  '(a',
  'a)',
  '(((a{50}){50}){50}){50}',
  '\\p{L}',
  '['.repeat(5),
])('%s is not understood', (source) => expect(readPattern(source)).toBeNull());

test('a pattern made to run forever does not', () => {
  const started = performance.now();
  expect(readPattern('(a+)+b')?.('a'.repeat(5000))).toBe(false);
  expect(readPattern('(a|a)*(a|a)*c')?.('a'.repeat(5000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});
