import { expect, test } from 'vitest';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import { generateForms, type GeneratedForm } from './generated-forms.ts';
import { knownDifference, readingAt } from './known-differences.ts';
import { readPlainly, readingOf } from './plain-reading.ts';

const forms = [...generateForms(60)];
const withCount = forms.find(({ features }) => features.includes('a count')) as GeneratedForm;
const withPoints = forms.find((form) => readingAt(form, 'sum') !== 'nothing') as GeneratedForm;
const isDecided = (form: GeneratedForm, linkId: string) =>
  readingAt(form, linkId, { conditionsSeeHidden: true }) !== readingAt(form, linkId);
const hidden = 'c3';
const hiding = forms.find((form) => isDecided(form, hidden)) as GeneratedForm;

test('a calculation that we leave out and another program makes has no explanation', () => {
  const theirs = readingAt(withCount, 'count');
  for (const peer of ['Smart Forms', 'LHC-Forms'] as const)
    expect(knownDifference({ peer, form: withCount, linkId: 'count', ours: 'nothing', theirs })).toBeUndefined();
});

test('a calculation that another program leaves out is only explained where it is known to', () => {
  const ours = readingAt(withCount, 'count');
  for (const peer of ['Smart Forms', 'LHC-Forms'] as const)
    expect(knownDifference({ peer, form: withCount, linkId: 'count', ours, theirs: 'nothing' })).toBeUndefined();
  const sum = readingAt(withPoints, 'sum');
  expect(knownDifference({ peer: 'Smart Forms', form: withPoints, linkId: 'sum', ours: sum, theirs: 'nothing' })).toBe(
    'points of options are not known to expressions',
  );
});

test('a condition that sees a hidden answer is explained by exactly what follows from it', () => {
  const given = { peer: 'Smart Forms', form: hiding, linkId: hidden, ours: readingAt(hiding, hidden) } as const;
  const theirs = readingAt(hiding, hidden, { conditionsSeeHidden: true });
  expect(knownDifference({ ...given, theirs })).toBe('an answer to a question that is not asked counts in conditions');
  expect(knownDifference({ ...given, theirs: 'something else' })).toBeUndefined();
  expect(knownDifference({ ...given, peer: 'LHC-Forms', theirs })).toBeUndefined();
});

test('the engine reads generated forms as the specification says', async () => {
  const expressions = await loadExpressions();
  for (const form of forms) {
    const { answers } = fromResponse(form.questionnaire, form.response);
    const settled = settleCalculations(form.questionnaire, answers, expressions);
    const response = toResponse(form.questionnaire, settled.answers, { status: 'in-progress' }, settled.setting);
    expect(Object.fromEntries(readingOf(response)), form.name).toEqual(Object.fromEntries(readPlainly(form)));
  }
});
