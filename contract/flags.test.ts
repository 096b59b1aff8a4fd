import { describe, expect, test } from 'vitest';
import { featuresOf, flagsOf, isFlagOn, type FlagSources } from './flags.ts';

const on = { disableCheckin: true };
const off = { disableCheckin: false };

describe('a flag is looked up: person, visible doctor, features, global', () => {
  test.each<[string, FlagSources, boolean]>([
    ['nobody set it', {}, false],
    ['only global', { global: on }, true],
    ['features before global', { features: off, global: on }, false],
    ['doctor before features', { doctor: on, features: off, global: off }, true],
    ['person before everyone', { person: off, doctor: on, features: on, global: on }, false],
    ['a source without it is passed over', { person: {}, doctor: { other: true }, features: on }, true],
    ['a word sets nothing', { person: { disableCheckin: 'yes' }, doctor: { disableCheckin: 1 }, global: off }, false],
    ['a word does not hide what comes after it', { person: { disableCheckin: 'no' }, global: on }, true],
    ['null sets nothing', { person: { disableCheckin: null }, global: on }, true],
  ])('%s', (_case, sources, expected) => {
    expect(isFlagOn('disableCheckin', sources)).toBe(expected);
  });

  test('what every object inherits is no flag', () => {
    for (const name of ['constructor', 'toString', '__proto__']) expect(isFlagOn(name, { person: {} })).toBe(false);
  });
});

test('the flags somebody set are listed, on or off; others are missing', () => {
  const sources = { doctor: { sendSMSEnabled: false, theme: 'x' }, global: { sendSMSEnabled: true, chat: true } };
  expect(flagsOf(sources)).toEqual({ sendSMSEnabled: false, chat: true });
});

test('features are the object of that name, else nothing', () => {
  expect(featuresOf({ features: { chat: true } })).toEqual({ chat: true });
  expect(featuresOf({ features: 'chat' })).toEqual({});
  expect(featuresOf({ features: ['chat'] })).toEqual({});
  expect(featuresOf({})).toEqual({});
});
