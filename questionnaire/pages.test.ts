import { expect, test } from 'vitest';
import { problemsOf } from './checking/problems.ts';
import { urls } from './extensions.ts';
import { pagesOf } from './pages.ts';
import { sectionsOf } from './sections.ts';
import type { Item, Questionnaire } from './questionnaire.ts';
import type { Answers } from './values.ts';

const formWith = (...item: Item[]): Questionnaire => ({ resourceType: 'Questionnaire', status: 'active', item });
const ask = (linkId: string, more: Partial<Item> = {}): Item => ({ linkId, type: 'decimal', text: linkId, ...more });
const askLong = (linkId: string) => ask(linkId, { type: 'text' });
const options = (count: number) => Array.from({ length: count }, (_, n) => ({ valueString: `${n}` }));
const calculated = (linkId: string): Item => ({
  ...ask(linkId),
  extension: [{ url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression: '1 + 1' } }],
});
const readOnly = (linkId: string): Item => ({ ...ask(linkId), readOnly: true });
const group = (linkId: string, ...item: Item[]): Item => ({ linkId, type: 'group', text: linkId, item });
const linkIdsByPage = (form: Questionnaire, answers: Answers = {}) =>
  pagesOf(form, answers).map(({ items }) => items.map(({ item }) => item.linkId));

test('short questions outside of groups share a page of up to five', () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  const form = formWith(...numbers.map((n) => ask(`q${n}`)));
  expect(linkIdsByPage(form)).toEqual([
    ['q1', 'q2', 'q3', 'q4', 'q5'],
    ['q6', 'q7'],
  ]);
});

test('an instrument of 33 choices without groups has nine pages, as if it were one group', () => {
  const choices = Array.from({ length: 33 }, (_, n) =>
    ask(`q${n}`, { type: 'choice', answerOption: options(5 + (n % 3)) }),
  );
  const sizesOf = (form: Questionnaire) =>
    pagesOf(form, {}).map(({ items }) => items.filter(({ item }) => item.isQuestion).length);
  expect(sizesOf(formWith(...choices))).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 1]);
  expect(sizesOf(formWith(group('all', ...choices)))).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 1]);
  expect(sectionsOf(formWith(...choices)).count).toBe(9);
});

test('a choice with more than three options counts as two questions of a shared page', () => {
  const choice = (linkId: string) => ask(linkId, { type: 'choice', answerOption: options(4) });
  const form = formWith(choice('pain'), choice('sleep'), ask('height'), ask('weight'));
  expect(linkIdsByPage(form)).toEqual([['pain', 'sleep', 'height'], ['weight']]);
});

test.each([
  ['a long text', askLong('middle')],
  ['a photo', ask('middle', { type: 'attachment' })],
  ['a list of answers', ask('middle', { type: 'string', repeats: true })],
  ['a choice with seven options', ask('middle', { type: 'choice', answerOption: options(7) })],
  ['a group', group('middle')],
  ['a question with a long follow-up', ask('middle', { item: [askLong('why')] })],
])('%s outside of groups has a page of its own', (_, middle) => {
  const filled = middle.type === 'group' ? group('middle', ask('inside')) : middle;
  const pages = linkIdsByPage(formWith(ask('first'), filled, ask('last')));
  expect(pages.map(([linkId]) => linkId)).toEqual(['first', 'middle', 'last']);
});

test('a text to read begins a page, with the questions after it', () => {
  const form = formWith(ask('height'), ask('text', { type: 'display' }), ask('pulse'), ask('weight'));
  expect(linkIdsByPage(form)).toEqual([['height'], ['text', 'pulse', 'weight']]);
});

test('an answer that shows a question leaves all other questions on their pages', () => {
  const onYes = (linkId: string) =>
    ask(linkId, { enableWhen: [{ question: 'smokes', operator: '=', answerBoolean: true }] });
  const form = formWith(
    ask('smokes', { type: 'boolean' }),
    onYes('since'),
    onYes('daily'),
    ask('height'),
    ask('weight'),
    ask('pulse'),
  );
  expect(linkIdsByPage(form, { smokes: [false] })).toEqual([['smokes', 'height', 'weight'], ['pulse']]);
  expect(linkIdsByPage(form, { smokes: [true] })).toEqual([
    ['smokes', 'since', 'daily', 'height', 'weight'],
    ['pulse'],
  ]);
});

test('calculated and read-only items share the page of the question before them', () => {
  const form = formWith(askLong('story'), ask('weight'), calculated('bmi'), readOnly('file'), askLong('plans'));
  expect(linkIdsByPage(form)).toEqual([['story'], ['weight', 'bmi', 'file'], ['plans']]);
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

const samePage = (item: Item): Item => ({ ...item, extension: [{ url: urls.samePage, valueBoolean: true }] });
const onYes = { enableWhen: [{ question: 'smokes', operator: '=' as const, answerBoolean: true }] };

test('a group marked same-page is on the page of the group before it, however much that page holds', () => {
  const many = Array.from({ length: 6 }, (_, n) => ask(`q${n}`));
  const form = formWith(
    group('one', ...many),
    samePage(group('two', ask('photo', { type: 'attachment' }))),
    group('three', ask('last')),
  );
  expect(linkIdsByPage(form)).toEqual([
    ['one', ...many.map(({ linkId }) => linkId), 'two', 'photo'],
    ['three', 'last'],
  ]);
});

test('a group marked same-page starts the page of its section when the group before it is hidden', () => {
  const form = formWith(
    group('first', ask('smokes', { type: 'boolean' })),
    { ...group('habits', ask('since')), ...onYes },
    samePage(group('measures', ask('height'))),
  );
  expect(linkIdsByPage(form, { smokes: [false] })).toEqual([
    ['first', 'smokes'],
    ['measures', 'height'],
  ]);
  expect(pagesOf(form, { smokes: [false] }).map(({ section }) => section)).toEqual([1, 2]);
  expect(linkIdsByPage(form, { smokes: [true] })[1]).toEqual(['habits', 'since', 'measures', 'height']);
});

test('no answer changes how many sections a form has', () => {
  const form = formWith(
    ask('smokes', { type: 'boolean' }),
    { ...group('habits', ask('since')), ...onYes },
    calculated('total'),
    askLong('story'),
  );
  expect(sectionsOf(form).count).toBe(3);
  expect(pagesOf(form, {}).map(({ section }) => section)).toEqual([1, 3]);
  expect(pagesOf(form, { smokes: [true] }).map(({ section }) => section)).toEqual([1, 2, 3]);
});

test('several groups that are the whole form keep a heading each; a single group is the title of the page', () => {
  const both = formWith(group('treatment', ask('agree')), samePage(group('payment', ask('pay'))));
  expect(pagesOf(both, {}).map(({ group: title }) => title?.linkId)).toEqual([undefined]);
  expect(pagesOf(formWith(group('only', ask('q'))), {}).map(({ group: title }) => title?.linkId)).toEqual(['only']);
});

const controlled = (item: Item, code: string): Item => ({
  ...item,
  extension: [{ url: urls.itemControl, valueCodeableConcept: { coding: [{ code }] } }],
});
const titles = (form: Questionnaire) => pagesOf(form, {}).map(({ group: title }) => title?.linkId);

test('groups that are pages are pages of their own, with what is between them', () => {
  const form = formWith(
    group(
      'all',
      ask('before'),
      controlled(group('one', ask('a')), 'page'),
      ask('between'),
      controlled(group('two', ask('b'), ask('c')), 'page'),
    ),
  );
  expect(linkIdsByPage(form)).toEqual([['all', 'before'], ['one', 'a'], ['between'], ['two', 'b', 'c']]);
  expect(titles(form)).toEqual(['all', 'one', 'all', 'two']);
});

test('the tabs of a container are pages, but the container itself is not', () => {
  const form = formWith(controlled(group('tabs', group('one', ask('a')), group('two', ask('b'))), 'tab-container'));
  expect(linkIdsByPage(form)).toEqual([
    ['one', 'a'],
    ['two', 'b'],
  ]);
  expect(titles(form)).toEqual(['one', 'two']);
});

test("a tab's context-display text is on the page of that tab while its condition holds", () => {
  const done = controlled(
    {
      linkId: 'done',
      type: 'display',
      text: 'Complete',
      enableWhen: [{ question: 'a', operator: 'exists', answerBoolean: true }],
    },
    'context-display',
  );
  const tabs = controlled(group('tabs', group('one', done, ask('a')), group('two', ask('b'))), 'tab-container');
  expect(linkIdsByPage(formWith(tabs))).toEqual([
    ['one', 'a'],
    ['two', 'b'],
  ]);
  expect(linkIdsByPage(formWith(tabs), { a: [1] })).toEqual([
    ['one', 'done', 'a'],
    ['two', 'b'],
  ]);
});

test('items for readers of the answers only are on no page and never required', () => {
  const display: Item = {
    ...ask('office'),
    required: true,
    extension: [{ url: urls.usageMode, valueCode: 'display' }],
  };
  const capture: Item = { ...ask('typed'), extension: [{ url: urls.usageMode, valueCode: 'capture' }] };
  const form = formWith(ask('a'), display, capture);
  expect(linkIdsByPage(form)).toEqual([['a', 'typed']]);
  expect(problemsOf(form, { a: [1] })).toEqual([]);
});
