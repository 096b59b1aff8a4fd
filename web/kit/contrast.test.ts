import { expect, test } from 'vitest';
import { readableOn } from './contrast.ts';

test.each([
  ['#0f5f8c', '#ffffff'],
  ['#ffd400', '#000000'],
  ['#ffffff', '#000000'],
  ['#000000', '#ffffff'],
  ['#777777', '#000000'],
  ['#087f5b', '#ffffff'],
  // 4.57 with white, 4.60 with black: alike if rounded down.
  ['#dd3333', '#000000'],
])('text on %s is %s', (color, text) => {
  expect(readableOn(color)).toBe(text);
});
