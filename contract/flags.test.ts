import { expect, test } from 'vitest';
import { flagsOf, isFlagOn, type FlagLayers } from './flags.ts';

const none: FlagLayers = { user: {}, visibleDoctor: {}, features: {}, global: {} };

test.each<[string, Partial<FlagLayers>, boolean]>([
  ['nobody says anything', {}, false],
  ['the global settings switch it on', { global: { x: true } }, true],
  ['features decide over the global settings', { features: { x: false }, global: { x: true } }, false],
  [
    'the visible doctor decides over features',
    { visibleDoctor: { x: true }, features: { x: false }, global: { x: false } },
    true,
  ],
  [
    'the user decides over everybody',
    { user: { x: false }, visibleDoctor: { x: true }, features: { x: true }, global: { x: true } },
    false,
  ],
  ['a user who says nothing leaves it to the next', { user: { y: false }, features: { x: true } }, true],
  [
    'a word is no switch',
    { user: { x: 'true' }, visibleDoctor: { x: 1 }, features: { x: null }, global: { x: {} } },
    false,
  ],
  ['a word does not hide what comes after it', { user: { x: 'no' }, global: { x: true } }, true],
])('a flag, when %s', (_when, layers, on) => {
  expect(isFlagOn('x', { ...none, ...layers })).toBe(on);
});

test('isFlagOn ignores properties that every object inherits', () => {
  expect(isFlagOn('constructor', none)).toBe(false);
  expect(
    isFlagOn('__proto__', { ...none, user: JSON.parse('{"__proto__":true}') as object as FlagLayers['user'] }),
  ).toBe(true);
  expect(isFlagOn('toString', none)).toBe(false);
});

test('flagsOf lists every flag that any layer names, with the value isFlagOn returns', () => {
  const layers = {
    ...none,
    user: { b: false, name: 'Dana' },
    features: { b: true, a: true, adminPanelType: 'sms' },
    global: { c: true },
  };
  expect(flagsOf(layers)).toEqual({ a: true, b: false, c: true });
});
