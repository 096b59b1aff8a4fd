import { expect, test } from 'vitest';
import { urls } from './extensions.ts';
import { pagesOf } from './pages.ts';
import type { Item, Questionnaire } from './questionnaire.ts';

const formWith = (...item: Item[]): Questionnaire => ({ resourceType: 'Questionnaire', status: 'active', item });
const ask = (linkId: string): Item => ({ linkId, type: 'decimal', text: linkId });
const calculated = (linkId: string): Item => ({
  ...ask(linkId),
  extension: [{ url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression: '1 + 1' } }],
});
const readOnly = (linkId: string): Item => ({ ...ask(linkId), readOnly: true });
const group = (linkId: string, ...item: Item[]): Item => ({ linkId, type: 'group', text: linkId, item });
const linkIdsByPage = (form: Questionnaire) =>
  pagesOf(form, {}).map(({ items }) => items.map(({ item }) => item.linkId));

test('calculated and read-only items share the page of the question before them', () => {
  const form = formWith(ask('height'), ask('weight'), calculated('bmi'), readOnly('file'), ask('pulse'));
  expect(linkIdsByPage(form)).toEqual([['height'], ['weight', 'bmi', 'file'], ['pulse']]);
});

test('calculated items at the start of a form share the page of the question after them', () => {
  const form = formWith(calculated('age'), group('facts', calculated('month')), ask('height'));
  expect(linkIdsByPage(form)).toEqual([['age', 'facts', 'month', 'height']]);
});

test('a group that only shows results has no page of its own, and a long group does not end on one', () => {
  const answers = Array.from({ length: 8 }, (_, n) => ask(`q${n}`));
  const form = formWith(group('mood', ...answers, calculated('total')), group('scores', calculated('share')));
  expect(linkIdsByPage(form)).toEqual([['mood', ...answers.map(({ linkId }) => linkId), 'total', 'scores', 'share']]);
});

test('a form of nothing but calculated items is one page', () => {
  expect(linkIdsByPage(formWith(calculated('a'), calculated('b')))).toEqual([['a', 'b']]);
});
