import { expect, test } from 'vitest';
import { lineOfJsonPath } from './line-of-json-path.ts';

const file = {
  resourceType: 'Questionnaire',
  title: 'With "quotes", [brackets] and \\ in it }',
  item: [
    { linkId: 'a', type: 'group', item: [{ linkId: 'b', type: 'integer', required: true, maxLength: -1.5e3 }] },
    { linkId: 'c', type: 'string', text: 'Why?' },
  ],
};
const text = JSON.stringify(file, null, 2);
const lineWith = (part: string, of = text) => of.split('\n').findIndex((line) => line.includes(part)) + 1;

test('the line of a field, an item, a list, the whole', () => {
  expect(lineOfJsonPath(text, 'item[1].text')).toBe(lineWith('Why?'));
  expect(lineOfJsonPath(text, 'item[0].item[0].maxLength')).toBe(lineWith('-1500'));
  expect(lineOfJsonPath(text, 'item[1]')).toBe(lineWith('"c"') - 1);
  expect(lineOfJsonPath(text, 'item')).toBe(lineWith('"item": ['));
  expect(lineOfJsonPath(text, '')).toBe(1);
});

test('the line of a missing element is the line of the nearest element above it', () => {
  expect(lineOfJsonPath(text, 'item[1].enableWhen[0].question')).toBe(lineWith('"c"') - 1);
  expect(lineOfJsonPath(text, 'item[7]')).toBe(lineWith('"item": ['));
});

test('lineOfJsonPath counts the lines of a whole bundle', () => {
  const bundle = { resourceType: 'Bundle', entry: [{ resource: { resourceType: 'Patient' } }, { resource: file }] };
  const whole = `\uFEFF${JSON.stringify(bundle, null, 2)}`;
  expect(lineOfJsonPath(whole, 'item[1].text')).toBe(lineWith('Why?', whole));
});

test('lineOfJsonPath finds a single element where a list is expected', () => {
  expect(lineOfJsonPath('{\n"item": {\n"text":\n"x"}}', 'item[0].text')).toBe(4);
});

test.each(['', '<Questionnaire/>', '{"item":', '{"item":[{"a"', '[1,2', '{"a\\'])(
  'lineOfJsonPath accepts text that is not JSON: %s',
  (broken) => {
    expect(() => lineOfJsonPath(broken, 'item[3].text')).not.toThrow();
  },
);
