import { expect, test } from 'vitest';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { toQuestionnaire } from './draft-to-questionnaire.ts';
import {
  draftProblems,
  kinds,
  missingSpanish,
  moveBy,
  newEntry,
  newOption,
  type FormDraft,
  type Option,
} from './form-draft.ts';
import { toDraft } from './questionnaire-to-draft.ts';

/** One entry of every kind, with points on both choices. */
function everyKind(): FormDraft {
  const draft: FormDraft = { title: { en: 'Mood', es: 'Ánimo' }, entries: [] };
  for (const kind of kinds) {
    const entry = newEntry(kind);
    entry.text = { en: `The ${kind}`, es: kind === 'date' ? '' : `El ${kind}` };
    entry.options.forEach((option, i) => {
      option.text = { en: `Option ${i}`, es: `Opción ${i}` };
      option.points = i === 0 ? '2' : '1,5';
    });
    draft.entries.push(entry);
  }
  return draft;
}
const loaded = (draft: FormDraft) => {
  const { questionnaire, findings } = checkQuestionnaire(JSON.stringify(toQuestionnaire(draft, { id: 'mood' })));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return questionnaire as Questionnaire;
};

test('a form of every kind loads without errors and opens again as it was typed', () => {
  const draft = everyKind();
  const opened = toDraft(loaded(draft));
  const points = { '2': '2', '1,5': '1.5' } as Record<string, string>;
  draft.entries.forEach(({ options }) => options.forEach((option) => (option.points = points[option.points] ?? '')));
  expect(opened).toMatchObject({ draft, head: { id: 'mood' }, unknown: [] });
});

test('the score adds up the points of one choice and of several choices', async () => {
  const draft = everyKind();
  const [one, several, score] = (['choice', 'several', 'score'] as const).map(
    (kind) => draft.entries.find((entry) => entry.kind === kind)?.linkId ?? '',
  ) as [string, string, string];
  const codesOf = (linkId: string) =>
    draft.entries.find((entry) => entry.linkId === linkId)?.options.map(({ code }) => ({ code })) ?? [];
  const answers = { [one]: codesOf(one).slice(0, 1), [several]: codesOf(several) };
  expect(settleCalculations(loaded(draft), answers, await loadExpressions()).answers[score]).toEqual([5.5]);
});

const condition = { enableWhen: [{ question: 'q1', operator: 'exists', answerBoolean: true }] };
test.each<[string, Partial<Item>]>([
  ['a condition', condition as Partial<Item>],
  ['a longest length', { maxLength: 5 }],
  ['a type the editor does not know', { type: 'attachment' }],
  ['an unknown extension', { extension: [{ url: 'urn:x', valueBoolean: true }] }],
])('a form with %s is not opened, and the question is named', (_, change) => {
  const questionnaire = toQuestionnaire(everyKind(), {});
  Object.assign(questionnaire.item?.[1] ?? {}, change);
  expect(toDraft(questionnaire)).toEqual({ draft: null, unknown: ['The text'] });
});

test('a form with a question after its sections, a contained value set or a rule of its own is not opened', () => {
  const questionnaire = toQuestionnaire(everyKind(), {});
  const last: Item = { linkId: 'last', type: 'string', text: 'Last' };
  expect(toDraft({ ...questionnaire, item: [...(questionnaire.item ?? []), last] }).draft).toBeNull();
  expect(toDraft({ ...questionnaire, contained: [] }).draft).toBeNull();
  expect(toDraft({ ...questionnaire, extension: [{ url: 'urn:x' }] }).draft).toBeNull();
});

test('a draft names what prevents saving, and counts what is not translated', () => {
  const draft = everyKind();
  expect(draftProblems(draft)).toEqual({});
  expect(missingSpanish(draft)).toBe(1);
  draft.title.en = ' ';
  const { linkId = '', options = [] } = draft.entries[6] ?? {};
  for (const option of options) option.points = 'many';
  const points = options.map(({ code }) => [`${linkId}.${code}.points`, 'points']);
  expect(draftProblems(draft)).toEqual({ title: 'wording', ...(Object.fromEntries(points) as object) });
  expect(draftProblems({ title: { en: 'A', es: '' }, entries: [] })).toEqual({ form: 'no_questions' });
});

test('two options with the same words are refused, in either language', () => {
  const option = (en: string, es = '') => ({ ...newOption(), text: { en, es } });
  const withOptions = (...options: Option[]) => {
    const entry = { ...newEntry('choice'), text: { en: 'How often?', es: '' }, options };
    const found = draftProblems({ title: { en: 'A', es: '' }, entries: [entry] });
    return options.map(({ code }) => found[`${entry.linkId}.${code}`]);
  };
  expect(withOptions(option('Yes'), option('No'), option(' yes '))).toEqual([undefined, undefined, 'same']);
  expect(withOptions(option('Often', 'A menudo'), option('Frequently', 'a  menudo'))).toEqual([undefined, 'same_es']);
  expect(withOptions(option('No'), option('Not at all', 'No'))).toEqual([undefined, 'same_es']);
  expect(withOptions(option(''), option(''))).toEqual(['wording', 'wording']);
});

test('an entry moves by one place and stays within the list', () => {
  expect(moveBy(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveBy(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
});

test('a new question or option never has the id of a deleted one', () => {
  const deleted = Array.from({ length: 3 }, () => newEntry('choice'));
  const added = Array.from({ length: 3 }, () => newEntry('choice'));
  const idsOf = (entries: typeof added) =>
    entries.flatMap(({ linkId, options }) => [linkId, ...options.map(({ code }) => code)]);
  expect(new Set([...idsOf(deleted), ...idsOf(added)]).size).toBe(18);
});
