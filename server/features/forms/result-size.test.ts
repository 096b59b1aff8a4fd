import { expect, test } from 'vitest';
import { ResultTooLarge } from '#questionnaire/expressions/expression-limits.ts';
import { withinSizeLimit, jsonWithinSizeLimit } from './result-size.ts';

const text = 'x'.repeat(1_000_000);

test('a small result passes unchanged', () => {
  const value = { a: [1, null, 'é'], b: new Map([['k', { c: true }]]) };
  expect(withinSizeLimit(value)).toBe(value);
  expect(JSON.parse(jsonWithinSizeLimit({ a: [1, null, 'é'] }))).toEqual({ a: [1, null, 'é'] });
});

test('JSON above 5 MB is refused, counted as often as a text is repeated in it', () => {
  expect(jsonWithinSizeLimit(Array(4).fill(text))).toHaveLength(4_000_013);
  expect(() => jsonWithinSizeLimit(Array(6).fill({ text }))).toThrow(ResultTooLarge);
  expect(() => jsonWithinSizeLimit('é'.repeat(3_000_000))).toThrow(ResultTooLarge);
});

test('a result above 30 MB is refused, also inside a map; an object that is contained twice counts once', () => {
  const large = { text: text.repeat(20) };
  expect(() => withinSizeLimit([large, large, large])).not.toThrow();
  expect(() => withinSizeLimit(new Map([['k', [text.repeat(20), text.repeat(20)]]]))).toThrow(ResultTooLarge);
});
