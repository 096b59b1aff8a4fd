import { describe, expect, test } from 'vitest';
import { readExpression } from './read-expression.ts';

const reads = (expression: string) => {
  const { linkIds, prefixes, all, context } = readExpression(expression).reads;
  if (context && !all) return 'context';
  return all ? 'all' : [...linkIds, ...Array.from(prefixes, (prefix) => `${prefix}*`)].sort();
};

describe('what an expression reads', () => {
  test.each<[string, string[] | 'all' | 'context']>([
    ['1 + 1', []],
    ["%resource.item.where(linkId='a').answer.value", ['a']],
    ["%resource.item.where(linkId = 'g').item.where(linkId = 'a').answer.value + 1", ['a']],
    ["%resource.item.where('a' = linkId).answer", ['a']],
    ["%rootResource.descendants().where(linkId='a').answer.value.ordinal().sum()", ['a']],
    ["%resource.repeat(item).where(linkId.startsWith('q')).answer", ['q*']],
    ["%resource.item.where(linkId in ('a' | 'b')).answer", ['a', 'b']],
    ["%resource.item.where(linkId='a' or linkId='b').answer", ['a', 'b']],
    ["item.where(linkId='n').answer.value * 2", ['n']],
    ["%context.item.where(linkId='n').answer.value", ['n']],
    ["QuestionnaireResponse.item.where(linkId='n').answer.value", ['n']],
    ["%resource.item.where(linkId='g')[0].item.where(linkId='a').answer", ['a', 'g']],
    [
      "iif(%resource.item.where(linkId='a').answer.exists(), %resource.item.where(linkId='b').answer.value, 0)",
      ['a', 'b'],
    ],
    ["%resource.item.where(linkId='a').answer.where(value > 3).count()", ['a']],
    ['%resource.item.answer.value.ordinal().sum()', 'all'],
    ['%resource.descendants().answer.value.sum()', 'all'],
    ["%resource.item.where(linkId != 'a').answer", 'all'],
    ["%resource.item.where(linkId='a' or text='b').answer", 'all'],
    ["%resource.item.where(linkId='a' and answer.exists() or true).answer", 'all'],
    ['answer.value + 1', 'context'],
    ['$this.item.answer', 'context'],
    ['%context.answer.value > %resource.item.answer.value', 'all'],
    ["%resource /* 'x' */ . item // note\n .where(linkId='a')", ['a']],
    ['\'item.where(linkId=\' + "a"', []],
  ])('%s', (expression, expected) => expect(reads(expression)).toEqual(expected));
});

test('calculations of one shape share one template', () => {
  const sum = (a: string, b: string) =>
    readExpression(
      `%resource.item.where(linkId='${a}').answer.value + %resource.item.where(linkId='${b}').answer.value`,
    );
  expect(sum('a', 'b').template).toBe('%_path0.answer.value + %_path1.answer.value');
  expect(sum('c', 'd').template).toBe(sum('a', 'b').template);
  expect(sum('c', 'd').paths).toEqual([['c'], ['d']]);
});

test('the names that an expression uses are found, without those it defines and those in texts', () => {
  expect(readExpression("%a + %`b c` + '%d' + %context.x + defineVariable('e', 1).select(%e)").names).toEqual([
    'a',
    'b c',
  ]);
});
