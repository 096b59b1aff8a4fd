import { expect, test } from 'vitest';
import { chart, labeledDays, piecesOf, xOf, yOf } from './pain-lines.ts';

test('the worst pain is at the top and no pain at the bottom', () => {
  expect(yOf(10)).toBe(chart.top);
  expect(yOf(0)).toBe(chart.height - chart.bottom);
});

test('the first and the last day are at the ends of the chart, a single day in the middle', () => {
  expect(xOf(1, 1, 5)).toBe(chart.left);
  expect(xOf(5, 1, 5)).toBe(chart.width - chart.right);
  expect(xOf(3, 3, 3)).toBe(xOf(2, 1, 3));
});

test('a day without a score interrupts the line', () => {
  const scores = [7, 5, null, 3].map((score, i) => ({ day: i + 1, score }));
  expect(piecesOf(scores, 1, 4).map((piece) => piece.map(({ day }) => day))).toEqual([[1, 2], [4]]);
  expect(piecesOf([{ day: 1, score: null }], 1, 1)).toEqual([]);
});

test('at most eight days are written below the chart', () => {
  const days = Array.from({ length: 30 }, (_, i) => i + 1);
  expect(labeledDays(days)).toEqual([1, 5, 9, 13, 17, 21, 25, 29]);
  expect(labeledDays([1, 2, 3])).toEqual([1, 2, 3]);
});
