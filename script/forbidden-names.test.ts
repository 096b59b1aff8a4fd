import { expect, test } from 'vitest';
import { forbiddenNames } from './forbidden-names.ts';

const namesIn = (...lines: string[]) => forbiddenNames(lines.join('\n')).map(({ line, name }) => `${line} ${name}`);

test('a type, a schema, a component and a function named by a participle are reported', () => {
  const lines = [
    'interface Sent {',
    'const Shown = z.object({});',
    'export function Done() {',
    '  async function moved() {',
    'export const parsed = (text: string) => text;',
  ];
  expect(namesIn(...lines)).toEqual(['1 Sent', '2 Shown', '3 Done', '4 moved', '5 parsed']);
});

test('a value inside a function may be a participle, and a verb or a noun that looks like one may name anything', () => {
  const lines = ['  const found = 1;', '  const isKept = () => true;', 'function run() {', 'interface Speed {'];
  expect(namesIn(...lines)).toEqual([]);
});

test('a dropped word is reported wherever a name is declared, but not a name that contains it', () => {
  expect(namesIn('  const seal = 1;', 'type House = 1;', 'export const DoorIcon = 1;')).toEqual(['1 seal', '2 House']);
});
