import { expect, test } from 'vitest';
import { HeldAnswers } from './held-answers.ts';

const nearMegabyte = (letter: string) => ({ etag: `"${letter}"`, body: letter.repeat(990_000) });

test('an answer is held in place of the one before it', () => {
  const held = new HeldAnswers();
  held.hold('queue', { etag: '"1"', body: 'first' });
  expect(held.hold('queue', { etag: '"2"', body: 'ñ' })).toEqual(Buffer.from('ñ'));
  expect(held.find('queue')).toEqual({ etag: '"2"', body: Buffer.from('ñ') });
  expect(held.find('another')).toBeNull();
  expect(held.bytes).toBeLessThan(600);
});

test('at most 16 MB are held: the one used longest ago goes first', () => {
  const held = new HeldAnswers();
  const letters = [...'abcdefghijklmnop'];
  for (const letter of letters) held.hold(letter, nearMegabyte(letter));
  expect(held.bytes).toBeLessThanOrEqual(16_000_000);
  held.find('a');
  held.hold('q', nearMegabyte('q'));
  expect(held.bytes).toBeLessThanOrEqual(16_000_000);
  expect(['a', 'b', 'q'].map((letter) => held.find(letter)?.etag)).toEqual(['"a"', undefined, '"q"']);
});

test('an answer of more than 2 MB is sent and not held', () => {
  const held = new HeldAnswers();
  expect(held.hold('large', { etag: '"1"', body: 'x'.repeat(2_000_001) })).toHaveLength(2_000_001);
  expect(held.find('large')).toBeNull();
  expect(held.bytes).toBe(0);
});

test('many small answers and long questions are bounded too', () => {
  const held = new HeldAnswers();
  for (let i = 0; i < 20_000; i++) held.hold(`${i} `.padEnd(2_000, 'x'), { etag: `"${i}"`, body: '[]' });
  expect(held.bytes).toBeLessThanOrEqual(16_000_000);
  expect(held.find('0 '.padEnd(2_000, 'x'))).toBeNull();
});
