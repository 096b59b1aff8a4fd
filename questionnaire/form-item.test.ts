import { expect, test } from 'vitest';
import { urls } from './extensions.ts';
import { formOf } from './form.ts';
import { helpOf } from './form-item.ts';
import type { Extension, Item, Questionnaire } from './questionnaire.ts';

const coded = (url: string, code: string): Extension => ({ url, valueCodeableConcept: { coding: [{ code }] } });
const text = (linkId: string, ...extension: Extension[]): Item => ({
  linkId,
  type: 'display',
  text: linkId,
  extension,
});
const groupWith = (...item: Item[]): Questionnaire => ({
  resourceType: 'Questionnaire',
  status: 'active',
  item: [{ linkId: 'g', type: 'group', text: 'Group', item: [...item, { linkId: 'q', type: 'string', text: 'Q?' }] }],
});
const category = (code: string) => coded(urls.displayCategory, code);

test('a text of the category help, legal or security belongs to its group; instructions stand on their own', () => {
  const categories = ['help', 'legal', 'security', 'instructions', 'constructor'];
  const form = formOf(groupWith(...categories.map((code) => text(code, category(code)))));
  const group = form.items[0];
  expect(group && helpOf(group).map(({ linkId, control }) => [linkId, control])).toEqual([
    ['help', 'help'],
    ['legal', 'legal'],
    ['security', 'legal'],
  ]);
  expect(group?.children.map(({ linkId }) => linkId)).toEqual(['instructions', 'constructor', 'q']);
});

test('an itemControl wins over a display category, and only display items have a category', () => {
  const both = text('both', category('legal'), coded(urls.itemControl, 'prompt'));
  const question: Item = { linkId: 'asks', type: 'string', text: 'Asks?', extension: [category('help')] };
  const { byLinkId } = formOf(groupWith(both, question));
  expect(byLinkId.get('both')?.control).toBe('prompt');
  expect(byLinkId.get('asks')?.control).toBeUndefined();
});
