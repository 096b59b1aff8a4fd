import { expect, test } from 'vitest';
import { patternFlaw, readPattern } from './pattern.ts';

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
  ['^.$', '👨‍👩‍👧', 'an emoji joined from several'],
  ['^.$', '👍🏽', 'an emoji with a skin tone'],
  ['^.$', '🇺🇸', 'a flag'],
  ['^.$', 'e\u0301', 'a letter with a combining accent'],
  ['^.{2}$', 'ọ̈x', 'a letter with two combining marks'],
  ['[^a-z]', '👨‍👩‍👧', 'an emoji that is not one of the letters'],
  ['\\W', '👍🏽', 'an emoji that is not a letter of a word'],
  ['[A-ZÉ]', 'E\u0301', 'a letter in a set, composed'],
  ['É', 'E\u0301', 'a letter written in two parts'],
  ['E\u0301', 'É', 'a letter that the pattern writes in two parts'],
  ['.+é', 'cafe\u0301', 'a word that ends with such a letter'],
  ['👨‍👩‍👧', '👨‍👩‍👧', 'an emoji that the pattern names'],
  ['.*\\u200d.*', '👨‍👩‍👧', 'the joiner inside an emoji, as code points are'],
  ['.{3,6}', '👨‍👩‍👧', 'code points, which the author may have counted'],
])('%s takes %s: %s', (source, text) => expect(readPattern(source)?.(text)).toBe(true));

test('a pattern for one character refuses two', () => {
  for (const text of ['ab', '👍👍', 'e\u0301e', '👨‍👩‍👧a', '']) expect(readPattern('^.$')?.(text), text).toBe(false);
  expect(readPattern('[a-z]')?.('👨‍👩‍👧')).toBe(false);
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

test('a pattern that backtracks exponentially in a RegExp matches in linear time', () => {
  const started = performance.now();
  expect(readPattern('(a+)+b')?.('a'.repeat(5000))).toBe(false);
  expect(readPattern('(a|a)*(a|a)*c')?.('a'.repeat(5000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});

test.each([
  ['nested counts', '((((){9999}){9999}){9999}){9999}'],
  ['nested counts of three digits', '(((){999}){999}){999}'],
  ['nested counts around a letter', '((((a){99}){99}){99}){99}'],
  ['a repeated row of empty groups', `(${'()'.repeat(900)}){9999}`],
  ['empty alternatives', '((((|){99}){99}){99}){99}'],
])('refuses %s before building it', (_, source) => {
  const started = performance.now();
  expect(readPattern(source)).toBeNull();
  expect(performance.now() - started).toBeLessThan(500);
});

test('an empty group under a quantifier and counts that multiply are too large', () => {
  expect(patternFlaw('(){3}')).toBe('too_large');
  expect(patternFlaw('()*')).toBe('too_large');
  expect(patternFlaw('((a{99}){99}){99}')).toBe('too_large');
  expect(patternFlaw('(?=a)b')).toBe('not_understood');
  expect(patternFlaw('[a-z]{1,200}')).toBeUndefined();
});

test('matching stops after a million steps and returns undefined', () => {
  const started = performance.now();
  expect(readPattern('(a|b){0,900}c')?.('ab'.repeat(5000))).toBe(false);
  expect(readPattern('((a?){50}){30}.*')?.('a'.repeat(10_000))).toBeUndefined();
  expect(readPattern(`[${'b'.repeat(19_000)}a]*`)?.('a'.repeat(10_000))).toBeUndefined();
  expect(readPattern('.{0,500}')?.('a'.repeat(501))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});
