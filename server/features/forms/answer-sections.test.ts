import { expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import { toResponse } from '#questionnaire/expressions/response.ts';
import type { Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { answerSections } from './answer-sections.ts';
import { fileUrl } from './file-url.ts';

const photoId = '11111111-1111-4111-8111-111111111111';
const spanish = (content: string) => ({
  extension: [
    {
      url: urls.translation,
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: content },
      ],
    },
  ],
});

const sectionsOf = (item: Item[], answers: Answers, extension: Extension[] = [], language: 'en' | 'es' = 'en') => {
  const questionnaire: Questionnaire = { resourceType: 'Questionnaire', status: 'active', extension, item };
  const response = toResponse(questionnaire, answers, { status: 'completed', language: 'en' });
  return answerSections({
    questionnaire,
    response,
    language,
    clock: { today: '2026-03-02', timeZone: 'America/New_York', now: '2026-03-02T15:00:00Z' },
    filledBy: 'Ada Byron',
  });
};
const linesOf = (sections: Awaited<ReturnType<typeof sectionsOf>>) =>
  sections.map(({ title, answers }) => [
    title,
    ...answers.map(({ text, answers: lines, group }) =>
      [group, text, ...lines].filter((word) => word !== '').join(' | '),
    ),
  ]);

test('every type of item is read as people write it', async () => {
  const everyType: Item[] = [
    {
      linkId: 'about',
      type: 'group',
      text: 'About you',
      item: [
        { linkId: 'display', type: 'display', text: 'Please read this.' },
        { linkId: 'boolean', type: 'boolean', text: 'Yes or no?' },
        { linkId: 'decimal', type: 'decimal', text: 'How much?' },
        { linkId: 'integer', type: 'integer', text: 'How many?', prefix: '1.' },
        { linkId: 'date', type: 'date', text: 'Which day?' },
        { linkId: 'dateTime', type: 'dateTime', text: 'When?' },
        { linkId: 'time', type: 'time', text: 'At what time?' },
        { linkId: 'string', type: 'string', text: 'Which word?' },
        { linkId: 'text', type: 'text', text: 'Which words?' },
        { linkId: 'url', type: 'url', text: 'Which page?' },
        {
          linkId: 'choice',
          type: 'choice',
          text: 'Which one?',
          answerOption: [{ valueCoding: { code: 'a', display: 'First' } }],
        },
        {
          linkId: 'open',
          type: 'open-choice',
          text: 'Which ones?',
          repeats: true,
          answerOption: [{ valueString: 'Listed' }],
        },
        { linkId: 'quantity', type: 'quantity', text: 'What weight?' },
        { linkId: 'reference', type: 'reference', text: 'Whom?' },
        { linkId: 'photo', type: 'attachment', text: 'The card' },
        {
          linkId: 'typed',
          type: 'attachment',
          text: 'Signature',
          extension: [{ url: urls.signatureRequired }],
        },
        { linkId: 'odd', type: 'hologram', text: 'A hologram' },
        { linkId: 'blank', type: 'string', text: 'Anything else?' },
        {
          linkId: 'secret',
          type: 'string',
          text: 'Never shown',
          extension: [{ url: urls.hidden, valueBoolean: true }],
        },
      ],
    },
  ];
  const sections = await sectionsOf(everyType, {
    boolean: [true],
    decimal: [1.5],
    integer: [12345],
    date: ['2026-03-02'],
    dateTime: ['2026-03-02T14:05:00Z'],
    time: ['14:05:00'],
    string: ['word'],
    text: ['two\nlines'],
    url: ['https://example.org'],
    choice: [{ code: 'a', display: 'First' }],
    open: ['Listed', 'of her own'],
    quantity: [{ value: 12.5, unit: 'lb' }],
    reference: [{ reference: 'Practitioner/1', display: 'Dr. Oak' }],
    photo: [{ contentType: 'image/jpeg', url: fileUrl(photoId) }],
    typed: [{ contentType: 'text/plain', title: 'Ada B.' }],
    secret: ['x'],
  });
  expect(linesOf(sections).map((lines) => lines.map((line) => line?.replace(/\s/g, ' ')))).toEqual([
    [
      'About you',
      'Please read this.',
      'Yes or no? | Yes',
      'How much? | 1.5',
      '1. How many? | 12345',
      'Which day? | March 2, 2026',
      'When? | March 2, 2026 at 2:05 PM',
      'At what time? | 2:05 PM',
      'Which word? | word',
      'Which words? | two lines',
      'Which page? | https://example.org',
      'Which one? | First',
      'Which ones? | Listed | of her own',
      'What weight? | 12.5 lb',
      'Whom? | Dr. Oak',
      'The card',
      'Signature | Signed by Ada B., by typing the name',
      'A hologram (a question of the type “hologram”, which cannot be answered here)',
      'Anything else?',
    ],
  ]);
  const photo = sections[0]?.answers.find(({ text }) => text === 'The card');
  expect(photo?.pictures).toEqual([{ fileId: photoId, description: 'Photo for “The card”' }]);
  expect(sections[0]?.answers.map(({ kind }) => kind).filter((kind) => kind === 'text')).toHaveLength(2);
});

test('top-level questions between groups are sections without a title; nested and repeated groups are named', async () => {
  const sections = await sectionsOf(
    [
      { linkId: 'a', type: 'string', text: 'First' },
      {
        linkId: 'g',
        type: 'group',
        text: 'Medicines',
        item: [
          { linkId: 'takes', type: 'boolean', text: 'Any?' },
          {
            linkId: 'medicine',
            type: 'group',
            text: 'Medicine',
            repeats: true,
            item: [
              { linkId: 'name', type: 'string', text: 'Name' },
              { linkId: 'dose', type: 'group', text: 'Dose', item: [{ linkId: 'mg', type: 'integer', text: 'mg' }] },
            ],
          },
          { linkId: 'pharmacy', type: 'string', text: 'Pharmacy' },
        ],
      },
      { linkId: 'z', type: 'string', text: 'Last' },
    ],
    {
      a: ['1'],
      takes: [true],
      medicine: [2],
      'name#0': ['X'],
      'mg#0': [5],
      'name#1': ['Y'],
      pharmacy: ['Elm'],
      z: ['2'],
    },
  );
  expect(linesOf(sections)).toEqual([
    ['', 'First | 1'],
    [
      'Medicines',
      'Any? | Yes',
      'Medicine 1 | Name | X',
      'Medicine 1 · Dose | mg | 5',
      'Medicine 2 | Name | Y',
      'Medicine 2 · Dose | mg',
      'Pharmacy | Elm',
    ],
    ['', 'Last | 2'],
  ]);
});

test('answers are read in the reader’s language, whichever the patient read', async () => {
  const item: Item = { linkId: 'q', type: 'boolean', text: 'Fever?', _text: spanish('¿Fiebre?') };
  expect(linesOf(await sectionsOf([item], { q: [true] }, [], 'es'))).toEqual([['', '¿Fiebre? | Sí']]);
});

test('a question that is not asked is not read', async () => {
  const items: Item[] = [
    { linkId: 'q', type: 'boolean', text: 'Fever?' },
    {
      linkId: 'since',
      type: 'string',
      text: 'Since when?',
      enableWhen: [{ question: 'q', operator: '=', answerBoolean: true }],
    },
  ];
  expect(linesOf(await sectionsOf(items, { q: [false] }))).toEqual([['', 'Fever? | No']]);
});

const marked = async (item: Item[], answers: Answers, extension?: Extension[]) =>
  (await sectionsOf(item, answers, extension)).flatMap((section) =>
    section.answers.filter(({ mark }) => mark !== null).map(({ text, mark }) => `${text} ${mark}`),
  );

test('the answers that decided the outcome “review” are marked, and no others', async () => {
  const when = (question: string, value: boolean): Extension => ({
    url: 'when',
    extension: [
      { url: 'question', valueString: question },
      { url: 'operator', valueCode: '=' },
      { url: 'answer', valueBoolean: value },
    ],
  });
  const rule = (outcome: string, behavior: string, ...whens: Extension[]): Extension => ({
    url: urls.outcome,
    extension: [{ url: 'outcome', valueCode: outcome }, { url: 'behavior', valueCode: behavior }, ...whens],
  });
  const items: Item[] = ['fever', 'cough'].map((linkId) => ({ linkId, type: 'boolean', text: linkId }));
  const any = [rule('review', 'any', when('fever', true), when('cough', true)), rule('clear', 'all')];
  expect(await marked(items, { fever: [true], cough: [false] }, any)).toEqual(['fever review']);
  expect(await marked(items, { fever: [false], cough: [false] }, any)).toEqual([]);
  const all = [rule('review', 'all', when('fever', true), when('cough', true))];
  expect(await marked(items, { fever: [true], cough: [true] }, all)).toEqual(['fever review', 'cough review']);
  const hidden = [{ url: urls.hidden, valueBoolean: true }];
  const withSum: Item[] = [...items, { linkId: 'sum', type: 'boolean', text: 'Many symptoms', extension: hidden }];
  expect(await marked(withSum, { sum: [true] }, [rule('review', 'any', when('sum', true))])).toEqual([
    'Many symptoms review',
  ]);
  const clear = [rule('clear', 'all', when('fever', false))];
  expect(await marked(items, { fever: [false], cough: [true] }, clear)).toEqual([]);
});

test('questions about allergies are marked by their words in either language, with their follow-ups', async () => {
  const followUp: Item = {
    linkId: 'which',
    type: 'text',
    text: 'Which ones?',
    enableWhen: [{ question: 'any', operator: '=', answerBoolean: true }],
  };
  expect(
    await marked([{ linkId: 'any', type: 'boolean', text: 'Any allergies?' }, followUp], {
      any: [true],
      which: ['Nuts'],
    }),
  ).toEqual(['Any allergies? allergy', 'Which ones? allergy']);
  const medicine: Item = { linkId: 'm', type: 'string', text: 'Medicine' };
  const inGroup = (text: string, name = 'Substance') => [
    { linkId: 'g', type: 'group', text, item: [{ linkId: 's', type: 'string', text: name }, medicine] },
  ];
  const said = { s: ['Latex'], m: ['Aspirin'] };
  expect(await marked(inGroup('Allergies'), said)).toEqual(['Substance allergy', 'Medicine allergy']);
  expect(await marked(inGroup('Alergias'), said)).toHaveLength(2);
  expect(await marked(inGroup('Allergies and medicines'), said)).toEqual([]);
  expect(await marked(inGroup('History', '¿Es alérgico a algo?'), said)).toEqual(['¿Es alérgico a algo? allergy']);
  expect(await marked(inGroup('History', 'Energy'), said)).toEqual([]);
});

test('the desk reads the texts that belong to all questions of a group', async () => {
  const help = (linkId: string, text: string, code: string): Item => ({
    linkId,
    type: 'display',
    text,
    extension: [{ url: urls.itemControl, valueCodeableConcept: { coding: [{ code }] } }],
  });
  const inner: Item = {
    linkId: 'inner',
    type: 'group',
    text: 'Sleep',
    item: [help('legal', 'Not a diagnosis.', 'legal'), { linkId: 'b', type: 'string', text: 'B?' }],
  };
  const outer: Item = {
    linkId: 'outer',
    type: 'group',
    text: 'Mood',
    item: [help('prompt', 'Over the last two weeks', 'prompt'), { linkId: 'a', type: 'string', text: 'A?' }, inner],
  };
  expect(linesOf(await sectionsOf([outer], { a: ['x'], b: ['y'] }))).toEqual([
    ['Mood', 'Over the last two weeks', 'A? | x', 'Sleep | Not a diagnosis.', 'Sleep | B? | y'],
  ]);
});

test('the desk does not read what is for filling in only, nor an empty answer that is shown only with one', async () => {
  const used = (linkId: string, mode: string): Item => ({
    linkId,
    type: 'string',
    text: `${linkId}?`,
    extension: [{ url: urls.usageMode, valueCode: mode }],
  });
  const items = [used('capture', 'capture'), used('display', 'display'), used('filled', 'display-non-empty')];
  const answers = { capture: ['x'], filled: ['y'] };
  expect(linesOf(await sectionsOf([...items, used('empty', 'capture-display-non-empty')], answers))).toEqual([
    ['', 'display?', 'filled? | y'],
  ]);
});

test('the office reads whether answers are missing for a calculation, or its result could not be used', async () => {
  const by = (expression: string) => [
    { url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression } },
  ];
  const sum = "%resource.item.where(linkId='a').answer.value";
  const items: Item[] = [
    { linkId: 'a', type: 'integer', text: 'A' },
    { linkId: 'b', type: 'string', text: 'B' },
    { linkId: 'missing', type: 'integer', text: 'Missing', readOnly: true, extension: by(sum) },
    { linkId: 'unfit', type: 'integer', text: 'Unfit', readOnly: true, extension: by("'heavy'") },
    { linkId: 'fails', type: 'integer', text: 'Fails', readOnly: true, extension: by('(1 | 2) + 1') },
  ];
  const [lines] = linesOf(await sectionsOf(items, { b: ['x'] }));
  expect(lines?.slice(3)).toEqual([
    'Missing | Not calculated: some answers are missing.',
    'Unfit | Could not be calculated from these answers.',
    'Fails | Could not be calculated from these answers.',
  ]);
});
