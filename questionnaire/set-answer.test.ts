import { describe, expect, test } from 'vitest';
import { withAnswer } from './set-answer.ts';
import { withoutRepetition, withRepetition } from './extras/repetitions.ts';
import { changedAnswers, initialAnswers, visibleItems } from './visible-items.ts';
import { householdAnswers, withHousehold } from './extras/household.ts';
import type { Questionnaire } from './questionnaire.ts';
import type { Answers } from './values.ts';

const exclusive = [
  { url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-optionExclusive', valueBoolean: true },
];
const code = (text: string) => ({ code: text });
const form: Questionnaire = {
  resourceType: 'Questionnaire',
  item: [
    {
      linkId: 'where',
      text: 'Where?',
      type: 'choice',
      repeats: true,
      answerOption: [
        { valueCoding: code('head') },
        { valueCoding: code('knee') },
        { valueCoding: code('none'), extension: exclusive },
      ],
      item: [{ linkId: 'how-much', text: 'How much?', type: 'integer' }],
    },
    {
      linkId: 'drug',
      type: 'group',
      repeats: true,
      item: [
        { linkId: 'name', text: 'Name', type: 'string' },
        { linkId: 'times', text: 'Times a day', type: 'integer', initial: [{ valueInteger: 1 }] },
      ],
    },
  ],
};

function at(id: string, answers: Answers) {
  const found = visibleItems(form, answers).find((one) => one.id === id);
  if (!found) throw new Error(`${id} is not shown`);
  return found;
}

describe('answering', () => {
  test("'None of these' unchooses the rest, and another unchooses it", () => {
    const both = withAnswer({}, at('where', {}), [code('head'), code('knee')]);
    const none = withAnswer(both, at('where', both), [code('head'), code('knee'), code('none')]);
    expect(none['where']).toEqual([code('none')]);
    expect(withAnswer(none, at('where', none), [code('none'), code('knee')])['where']).toEqual([code('knee')]);
  });

  test('a follow-up stays with its answer when another answer is removed', () => {
    const answers = { where: [code('head'), code('knee')], 'how-much#0': [3], 'how-much#1': [8] };
    expect(withAnswer(answers, at('where', answers), [code('knee')])).toEqual({
      where: [code('knee')],
      'how-much#0': [8],
    });
  });

  test('an empty answer removes the key', () => {
    expect(withAnswer({ 'name#0': ['a'] }, at('name#0', {}), [])).toEqual({});
  });

  test('a new repetition begins with its initial values; removing one moves the rest up', () => {
    const one: Answers = { 'name#0': ['a'], 'times#0': [2] };
    const two = withRepetition(one, at('drug#0:0', one), 1);
    expect(two).toEqual({ ...one, drug: [2], 'times#1': [1] });
    const named = withAnswer(two, at('name#1', two), ['b']);
    expect(withoutRepetition(named, at('drug#0:0', named), 0, 2)).toEqual({
      drug: [1],
      'name#0': ['b'],
      'times#0': [1],
    });
  });

  test('a repeating group begins with its initial values', () => {
    expect(initialAnswers(form)).toEqual({ 'times#0': [1] });
  });

  test('only what changed is saved', () => {
    expect(changedAnswers({ a: [1], b: ['x'], c: [true] }, { a: [1], b: ['y'], d: [code('z')] })).toEqual([
      'b',
      'c',
      'd',
    ]);
  });
});

describe('what is the same for the household', () => {
  const flag = [{ url: 'urn:anteroom:fhir:questionnaire-household', valueBoolean: true }];
  const string = (linkId: string, extension = flag) => ({ linkId, text: linkId, type: 'string', extension });
  const shared: Questionnaire = {
    resourceType: 'Questionnaire',
    item: [
      { linkId: 'address', type: 'group', extension: flag, item: [string('street', [])] },
      { linkId: 'contact', type: 'group', repeats: true, extension: flag, item: [string('phone', [])] },
      string('name', []),
    ],
  };

  test('is offered to the next family member, but never replaces their own answers', () => {
    const first = { street: ['Elm St'], contact: [2], 'phone#0': ['1'], 'phone#1': ['2'], name: ['Ana'] };
    const household = householdAnswers(shared, first);
    expect(household).toEqual({ street: ['Elm St'], contact: [2], 'phone#0': ['1'], 'phone#1': ['2'] });
    expect(withHousehold(shared, { street: ['Oak St'] }, { ...household, name: ['Eve'] })).toEqual({
      ...household,
      street: ['Oak St'],
    });
  });
});
