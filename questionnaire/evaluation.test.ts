import { describe, expect, test } from 'vitest';
import { meetsCondition } from './evaluation.ts';
import { visibleItems } from './visible-items.ts';
import type { EnableWhen, Item, Operator, Questionnaire } from './questionnaire.ts';
import type { Answers, Value } from './values.ts';

function formWith(...item: Item[]): Questionnaire {
  return { resourceType: 'Questionnaire', status: 'active', item };
}

const shown = (questionnaire: Questionnaire, answers: Answers) =>
  visibleItems(questionnaire, answers).map(({ id }) => id);

/** operator, what was said, what is expected, does it hold */
type Row = [Operator, Value[], Value, boolean];
const kg = (value: number) => ({ value, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' });
const code = (value: string, system?: string) => ({ code: value, ...(system && { system }) });

const order = (low: Value, middle: Value, high: Value): Row[] => [
  ['exists', [middle], true, true],
  ['exists', [middle], false, false],
  ['exists', [], true, false],
  ['exists', [], false, true],
  ['=', [middle], middle, true],
  ['=', [low], middle, false],
  ['=', [], middle, false],
  ['=', [low, middle], middle, true],
  ['!=', [middle], middle, false],
  ['!=', [low], middle, true],
  ['!=', [], middle, true],
  ['!=', [low, middle], middle, false],
  ['>', [high], middle, true],
  ['>', [middle], middle, false],
  ['>', [low], middle, false],
  ['>', [], middle, false],
  ['<', [low], middle, true],
  ['<', [middle], middle, false],
  ['<', [high], middle, false],
  ['<', [], middle, false],
  ['>=', [middle], middle, true],
  ['>=', [high], middle, true],
  ['>=', [low], middle, false],
  ['>=', [], middle, false],
  ['<=', [middle], middle, true],
  ['<=', [low], middle, true],
  ['<=', [high], middle, false],
  ['<=', [], middle, false],
  ['>', [low, high], middle, true],
  ['<', [high, low], middle, true],
];

const tables: Record<string, Row[]> = {
  integer: order(1, 2, 10),
  decimal: order(-0.5, 1.25, 9.5),
  date: [
    ...order('2023-12-31', '2024-01-31', '2024-02-01'),
    ['>', ['2025'], '2024-06-15', true],
    ['>', ['2024'], '2024-06-15', false],
    ['<', ['2024'], '2024-06-15', false],
    ['=', ['2024'], '2024-06-15', false],
  ],
  dateTime: [
    ...order('2024-01-01T08:00:00Z', '2024-01-01T09:00:00Z', '2024-01-01T10:00:00Z'),
    ['=', ['2024-01-01T10:00:00+01:00'], '2024-01-01T09:00:00Z', true],
    ['<', ['2024-01-01T09:30:00+02:00'], '2024-01-01T09:00:00Z', true],
  ],
  time: [...order('08:59:59', '09:00:00', '17:30:00'), ['=', ['09:00'], '09:00:00', true]],
  string: order('anna', 'berta', 'clara'),
  quantity: [
    ...order(kg(60), kg(70), kg(80)),
    ['>', [{ value: 200, unit: 'lb', code: '[lb_av]' }], kg(70), false],
    ['=', [{ value: 70 }], kg(70), true],
  ],
  boolean: [
    ['=', [true], true, true],
    ['=', [false], true, false],
    ['=', [], false, false],
    ['!=', [true], true, false],
    ['!=', [false], true, true],
    ['!=', [], true, true],
    ['exists', [false], true, true],
    ['>', [true], false, false],
    ['<', [false], true, false],
    ['>=', [true], true, false],
    ['<=', [true], true, false],
  ],
  coding: [
    ['exists', [code('a')], true, true],
    ['exists', [], false, true],
    ['=', [code('a', 's')], code('a', 's'), true],
    ['=', [code('a', 's')], code('a'), true],
    ['=', [code('a', 's')], code('a', 't'), false],
    ['=', [code('b'), code('a')], code('a'), true],
    ['!=', [code('b'), code('a')], code('a'), false],
    ['!=', [code('b')], code('a'), true],
    ['!=', [], code('a'), true],
    ['>', [code('b')], code('a'), false],
    ['<', [code('a')], code('b'), false],
    ['>=', [code('b')], code('a'), false],
    ['<=', [code('a')], code('b'), false],
    ['=', [{ display: 'Other' }], { display: 'Other' }, true],
  ],
  reference: [
    ['=', [{ reference: 'Patient/1' }], { reference: 'Patient/1' }, true],
    ['=', [{ reference: 'Patient/1' }], { reference: 'Patient/2' }, false],
    ['!=', [{ reference: 'Patient/1' }], { reference: 'Patient/2' }, true],
    ['exists', [{ reference: 'Patient/1' }], true, true],
  ],
};

describe.each(Object.entries(tables))('conditions on a %s', (_, rows) => {
  test.each(rows)('%s %j against %j is %s', (operator, answers, expected, holds) => {
    expect(meetsCondition(answers, { operator, expected })).toBe(holds);
  });
});

const condition = (question: string, answerBoolean: boolean): EnableWhen => ({
  question,
  operator: '=',
  answerBoolean,
});

describe('visible questions', () => {
  const yesNo = (linkId: string, more: Partial<Item> = {}): Item => ({
    linkId,
    text: linkId,
    type: 'boolean',
    ...more,
  });

  test('all conditions must hold, or any if enableBehavior is any', () => {
    const both = [condition('a', true), condition('b', true)];
    const form = formWith(
      yesNo('a'),
      yesNo('b'),
      yesNo('all', { enableWhen: both, enableBehavior: 'all' }),
      yesNo('any', { enableWhen: both, enableBehavior: 'any' }),
    );
    expect(shown(form, { a: [true] })).toEqual(['a', 'b', 'any']);
    expect(shown(form, { a: [true], b: [true] })).toEqual(['a', 'b', 'all', 'any']);
  });

  test('a hidden item hides what is nested in it and what depends on its answer', () => {
    const form = formWith(
      yesNo('a'),
      { linkId: 'g', type: 'group', enableWhen: [condition('a', true)], item: [yesNo('inside')] },
      yesNo('after', { enableWhen: [condition('inside', true)] }),
    );
    expect(shown(form, { a: [true], inside: [true] })).toEqual(['a', 'g', 'inside', 'after']);
    expect(shown(form, { a: [false], inside: [true] })).toEqual(['a']);
  });

  test('a follow-up appears with its answer; a display text under a question is always shown', () => {
    const form = formWith({
      ...yesNo('a'),
      item: [
        { linkId: 'how', type: 'string', text: 'How?' },
        { linkId: 'note', type: 'display', text: 'Note', enableWhen: [condition('a', true)] },
        { linkId: 'help', type: 'display', text: 'Help' },
      ],
    });
    expect(shown(form, {})).toEqual(['a']);
    expect(shown(form, { a: [true] })).toEqual(['a', 'how', 'note']);
  });

  test('in a repeating group each repetition looks at its own answers', () => {
    const form = formWith(
      {
        linkId: 'drug',
        type: 'group',
        repeats: true,
        item: [yesNo('daily'), { linkId: 'dose', type: 'string', enableWhen: [condition('daily', true)] }],
      },
      yesNo('any-daily', { enableWhen: [condition('daily', true)] }),
    );
    expect(shown(form, { drug: [2], 'daily#0': [false], 'daily#1': [true] })).toEqual([
      'drug#0:0',
      'daily#0',
      'drug#0:1',
      'daily#1',
      'dose#1',
      'any-daily',
    ]);
  });

  test('conditions in a circle and chains without end do not hang or break it', () => {
    const circle = formWith(
      yesNo('a', { enableWhen: [condition('b', true)] }),
      yesNo('b', { enableWhen: [condition('a', true)] }),
    );
    expect(() => shown(circle, { a: [true], b: [true] })).not.toThrow();
    const chain = Array.from({ length: 3000 }, (_, i) =>
      yesNo(`q${i}`, { enableWhen: [condition(`q${i + 1}`, true)] }),
    );
    expect(() => shown(formWith(...chain), {})).not.toThrow();
  });

  test('a hidden item keeps its answer and is not shown', () => {
    const hidden = [{ url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-hidden', valueBoolean: true }];
    expect(shown(formWith(yesNo('a', { extension: hidden }), yesNo('b')), {})).toEqual(['b']);
  });

  test('an item stays the same object when the answers change', () => {
    const form = formWith(yesNo('a'), yesNo('b', { enableWhen: [condition('a', true)] }));
    expect(visibleItems(form, {})[0]).toBe(visibleItems(form, { a: [true] })[0]);
  });
});
