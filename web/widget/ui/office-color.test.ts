import { expect, test } from 'vitest';
import { readableOn } from './office-color.ts';

test.each([
  ['#0f5f8c', '#ffffff'],
  ['#ffd400', '#000000'],
  ['#ffffff', '#000000'],
  ['#000000', '#ffffff'],
  ['#777777', '#000000'],
  ['#087f5b', '#ffffff'],
])('text on %s is %s', (color, text) => {
  expect(readableOn(color)).toBe(text);
});
