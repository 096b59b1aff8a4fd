import { describe, expect, test } from 'vitest';
import { engineBeginning, engineOutcome, loadGenerated } from './engine-outcome.ts';
import { readBeginning, readOutcome } from './plain-outcome.ts';
import { pairwiseQuestions, type QuestionTraits } from './question-traits.ts';
import { knownTraitDifference, type TraitDifference } from './trait-differences.ts';
import { traitForms } from './trait-forms.ts';

test('the engine begins, keeps, calculates, offers and refuses as the plain reading does, with every two traits together', async () => {
  for (const form of traitForms(1)) {
    const loaded = loadGenerated(form);
    const { asked: _, ...plain } = readOutcome(form);
    expect(await engineOutcome(loaded, form.response), form.name).toEqual(plain);
    expect(await engineBeginning(loaded), form.name).toEqual(readBeginning(form));
  }
});

test('the generated forms have something of everything that is compared', () => {
  const outcomes = [...traitForms(1)].map(readOutcome);
  const codes = new Set(outcomes.flatMap(({ problems }) => problems.map((problem) => problem.split(' ')[0])));
  expect([...codes].toSorted()).toEqual([
    'constraint',
    'not_an_option',
    'only_alone',
    'required',
    'too_early',
    'too_few',
    'too_high',
    'too_late',
    'too_long',
    'too_low',
    'too_many',
    'too_many_decimals',
    'warning',
    'wrong_pattern',
  ]);
  const answered = outcomes.flatMap(({ answers }) => [...answers.keys()].map((name) => name.split(' ')[0]));
  expect(new Set(answered)).toEqual(expect.objectContaining(new Set(['s1', 's2', 'points', 'decimals', 's1.in'])));
});

test('another seed puts the same pairs of traits together in other questions', () => {
  const [one, other] = [pairwiseQuestions(1), pairwiseQuestions(2)];
  expect(Math.abs(one.pairs - other.pairs)).toBeLessThan(5);
  expect(one.questions).not.toEqual(other.questions);
});

describe('a difference to another program', () => {
  const question: QuestionTraits = {
    kind: 'integer',
    place: 'at the top',
    change: 'calculated',
    need: 'optional',
    occurs: 'once',
    begins: 'empty',
    limit: 'none',
    constraint: 'none',
    options: 'none',
    condition: 'none',
    answered: 'not',
  };
  const difference: TraitDifference = {
    peer: 'LHC-Forms',
    question,
    given: 'nothing',
    ours: '3',
    theirs: '4',
    isAsked: true,
  };

  test('a wrong number has no explanation', () => {
    expect(knownTraitDifference(difference)).toBeUndefined();
  });

  test('is explained only for the program that is known to deviate so', () => {
    const hidden = { ...question, condition: 'by an expression' } as const;
    const kept = { ...difference, question: hidden, ours: 'nothing', theirs: '4', isAsked: false };
    expect(knownTraitDifference(kept)).toBe('a question that an expression hides keeps its answer');
    expect(knownTraitDifference({ ...kept, peer: 'Smart Forms' })).toBeUndefined();
    expect(knownTraitDifference({ ...kept, isAsked: true, ours: '3' })).toBeUndefined();
  });
});
