import { expect, test } from 'vitest';
import { isSigned, signBody } from './signature.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const seconds = (n: number) => new Date(now.getTime() + n * 1000);
const body = Buffer.from('{"a":1}');

test('isSigned accepts only its secret and body, for five minutes either way', () => {
  const header = signBody('secret', body, now);
  expect(isSigned('secret', header, body, now)).toBe(true);
  expect(isSigned('secret', header, body, seconds(300))).toBe(true);
  expect(isSigned('secret', header, body, seconds(-300))).toBe(true);
  expect(isSigned('secret', header, body, seconds(301))).toBe(false);
  expect(isSigned('secret', header, body, seconds(-301))).toBe(false);
  expect(isSigned('other', header, body, now)).toBe(false);
  expect(isSigned('secret', header, Buffer.from('{"a":2}'), now)).toBe(false);
  expect(isSigned('secret', header, Buffer.from('{"a":1} '), now)).toBe(false);
});

test('isSigned refuses a malformed signature header', () => {
  const header = signBody('secret', body, now);
  for (const broken of [
    undefined,
    '',
    't=1',
    header.slice(2),
    `${header}0`,
    header.replace('v1', 'v0'),
    header.toUpperCase(),
  ]) {
    expect(isSigned('secret', broken, body, now)).toBe(false);
  }
});
