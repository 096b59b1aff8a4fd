import { expect, test } from 'vitest';
import { readableOn } from '#web/kit/contrast.ts';
import { contrastOf, leastTextContrast } from './contrast.ts';

test('the contrast of two colors is the same both ways, and never rounded up', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#ffffff', '#000000')).toBe(21);
  expect(contrastOf('#777777', '#ffffff')).toBe(4.4); // 4.478
});

test('the text on any color can be read', () => {
  for (const color of ['#0f5f8c', '#ffff00', '#777777', '#808080', '#ff0000', '#757575'])
    expect(contrastOf(color, readableOn(color)), color).toBeGreaterThanOrEqual(leastTextContrast);
  expect([readableOn('#0f5f8c'), readableOn('#ffd54f')]).toEqual(['#ffffff', '#000000']);
});
