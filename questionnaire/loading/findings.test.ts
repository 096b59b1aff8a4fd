import { expect, test } from 'vitest';
import { groupFindings, sortFindings, type Finding } from './findings.ts';

const at = (place: string, severity: Finding['severity'] = 'warning', code: Finding['code'] = 'text_missing') => ({
  code,
  severity,
  place,
});

test('errors come first, then the order of the file, the tenth item after the second', () => {
  const sorted = sortFindings([
    at('item[10].text'),
    at('item[2].item[0]'),
    at('item[10]', 'error'),
    at(''),
    at('item[2]'),
    at('item[2].text', 'error'),
  ]);
  expect(sorted.map(({ place }) => place)).toEqual([
    'item[2].text',
    'item[10]',
    '',
    'item[2]',
    'item[2].item[0]',
    'item[10].text',
  ]);
});

test('three findings of one kind are one group, two are shown one by one', () => {
  const groups = groupFindings([
    at('item[3]'),
    at('item[1]'),
    at('item[0]', 'warning', 'type_unknown'),
    at('item[2]'),
    at('item[4]', 'warning', 'type_unknown'),
  ]);
  expect(groups.map(({ first, others }) => [first.place, others.map(({ place }) => place)])).toEqual([
    ['item[0]', []],
    ['item[4]', []],
    ['item[1]', ['item[2]', 'item[3]']],
  ]);
});
