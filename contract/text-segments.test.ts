import { expect, test } from 'vitest';
import { firstSpecial, sizeOfText } from './text-segments.ts';

test.each([
  ['', 'GSM-7', 0, 0, 160],
  ['a', 'GSM-7', 1, 1, 159],
  ['a'.repeat(160), 'GSM-7', 160, 1, 0],
  ['a'.repeat(161), 'GSM-7', 161, 2, 145],
  ['a'.repeat(306), 'GSM-7', 306, 2, 0],
  ['a'.repeat(307), 'GSM-7', 307, 3, 152],
  ['a'.repeat(10_000), 'GSM-7', 10_000, 66, 98],
  ['€'.repeat(80), 'GSM-7', 160, 1, 0],
  // The euro sign takes two septets, and its escape never stays behind in the first segment.
  [`${'a'.repeat(152)}€${'a'.repeat(10)}`, 'GSM-7', 164, 2, 141],
  ['¿Cómo está?', 'UCS-2', 11, 1, 59],
  ['¿Qué tal, señor?', 'GSM-7', 16, 1, 144],
  ['ё'.repeat(70), 'UCS-2', 70, 1, 0],
  ['ё'.repeat(71), 'UCS-2', 71, 2, 63],
  ['👍', 'UCS-2', 2, 1, 68],
  // An emoji is two units: it moves to the next segment as a whole.
  [`${'a'.repeat(66)}👍${'a'.repeat(10)}`, 'UCS-2', 78, 2, 55],
  [`${'a'.repeat(65)}👍${'a'.repeat(10)}`, 'UCS-2', 77, 2, 57],
  ['👍'.repeat(67), 'UCS-2', 134, 3, 65],
] as const)('a text %# is cut as the carrier cuts it', (text, encoding, characters, segments, left) => {
  expect(sizeOfText(text)).toEqual({ encoding, characters, segments, left });
});

test('the character that makes a text UCS-2 is named as a whole', () => {
  expect(['¿Qué tal, señor? €', '¿Cómo está?', 'Ok 👍 ё'].map(firstSpecial)).toEqual([null, 'ó', '👍']);
});
