import { expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { ageOn, withKnownFacts } from './known-facts.ts';

const formWith = (...item: Item[]): Questionnaire => ({ resourceType: 'Questionnaire', status: 'active', item });
const knownItem = (linkId: string, type: string, fact: string, more: Partial<Item> = {}): Item => ({
  linkId,
  type,
  ...more,
  extension: [{ url: urls.known, valueCode: fact }, ...(more.extension ?? [])],
});

test.each([
  ['2008-11-23', '2026-11-23', 18],
  ['2008-11-24', '2026-11-23', 17],
  ['1990-04-02', '2026-11-23', 36],
])('a person born on %s is on %s %d years old', (birthDate, today, age) => {
  expect(ageOn(birthDate, today)).toBe(age);
});

test('known facts fill what is blank and keep what was answered', () => {
  const form = formWith(knownItem('name', 'string', 'name'), knownItem('signer', 'string', 'filled-by'));
  const facts = { name: 'Leo Byron', 'filled-by': 'Ada Byron' };
  expect(withKnownFacts(form, { signer: ['Someone else'] }, facts)).toEqual({
    name: ['Leo Byron'],
    signer: ['Someone else'],
  });
});

test('a hidden item always holds what is known now', () => {
  const hidden = { extension: [{ url: urls.hidden, valueBoolean: true }] };
  const form = formWith(knownItem('age', 'integer', 'age', hidden));
  expect(withKnownFacts(form, { age: [3] }, { age: 36 })).toEqual({ age: [36] });
  expect(withKnownFacts(form, {}, {})).toEqual({});
});

test('a fact that does not fit the type or the length of its item is left out', () => {
  const form = formWith(
    knownItem('a', 'boolean', 'name'),
    knownItem('b', 'string', 'age'),
    knownItem('c', 'string', 'name', { maxLength: 3 }),
  );
  expect(withKnownFacts(form, {}, { name: 'Leo Byron', age: 4 })).toEqual({});
});
