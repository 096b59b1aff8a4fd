import { describe, expect, test } from 'vitest';
import { problemMessage } from './problem-messages.ts';
import type { ProblemCode } from './problem-codes.ts';
import { problemsOf } from './problems.ts';
import { urls } from '#questionnaire/extensions.ts';
import type { Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { checkResponse, fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import type { Value } from '#questionnaire/values.ts';

const base = 'http://hl7.org/fhir/StructureDefinition/';
const form = (...item: Item[]): Questionnaire => ({ resourceType: 'Questionnaire', item });
const one = (type: string, more: Partial<Item> = {}): Item => ({ linkId: 'a', text: 'a', type, ...more });
const limits = (...pairs: [string, object][]): Extension[] =>
  pairs.map(([name, value]) => ({ url: `${base}${name}`, ...value }));
const today = { today: '2026-05-04' };
const codes = (...all: string[]) => all.map((code) => ({ valueCoding: { code } }));
const signature = limits(['questionnaire-signatureRequired', {}]);
const beforeToday = limits([
  'maxValue',
  {
    _valueDate: {
      extension: [
        { url: `${base}cqf-calculatedValue`, valueExpression: { language: 'text/fhirpath', expression: 'today()' } },
      ],
    },
  },
]);
const file = { contentType: 'image/png', url: 'x', size: 10 };
const kg = limits(['questionnaire-unitOption', { valueCoding: { code: 'kg', display: 'kg' } }]);

describe('what is wrong with an answer', () => {
  const rows: [string, Item, Value[], ProblemCode | null][] = [
    ['missing', one('string', { required: true }), [], 'required'],
    ['blank', one('string', { required: true }), ['  '], 'required'],
    ['not signed', one('attachment', { required: true, extension: signature }), [], 'not_signed'],
    [
      'signed with a blank name',
      one('attachment', { required: true, extension: signature }),
      [{ contentType: 'text/plain', title: ' ' }],
      'not_signed',
    ],
    [
      'signed by typing',
      one('attachment', { required: true, extension: signature }),
      [{ contentType: 'text/plain', title: 'Ana' }],
      null,
    ],
    ['signed by drawing', one('attachment', { required: true, extension: signature }), [file], null],
    ['nothing at all', one('string'), [], 'blank'],
    ['text for a yes', one('boolean'), ['true'], 'wrong_kind'],
    ['no is an answer', one('boolean', { required: true }), [false], null],
    ['zero is an answer', one('integer', { required: true }), [0], null],
    ['text for a number', one('integer'), ['7'], 'not_a_number'],
    ['half a number', one('integer'), [0.5], 'not_a_whole_number'],
    ['too low', one('integer', { extension: limits(['minValue', { valueInteger: 1 }]) }), [0], 'too_low'],
    ['too high', one('decimal', { extension: limits(['maxValue', { valueDecimal: 2.5 }]) }), [2.6], 'too_high'],
    ['just high enough', one('decimal', { extension: limits(['maxValue', { valueDecimal: 2.5 }]) }), [2.5], null],
    [
      'too exact',
      one('decimal', { extension: limits(['maxDecimalPlaces', { valueInteger: 1 }]) }),
      [1.25],
      'too_many_decimals',
    ],
    ['an impossible day', one('date'), ['2026-02-30'], 'not_a_date'],
    ['a leap day', one('date'), ['2024-02-29'], null],
    ['a month', one('date'), ['2024-02'], null],
    ['tomorrow', one('date', { extension: beforeToday }), ['2026-05-05'], 'too_late'],
    ['today', one('date', { extension: beforeToday }), ['2026-05-04'], null],
    [
      'too early',
      one('date', { extension: limits(['minValue', { valueDate: '2020-01-01' }]) }),
      ['2019-12-31'],
      'too_early',
    ],
    ['a time without zone', one('dateTime'), ['2026-05-04T10:00:00'], null],
    ['an impossible time', one('dateTime'), ['2026-05-04T25:00:00Z'], 'not_a_date_time'],
    ['an instant', one('dateTime'), ['2026-05-04T10:00:00-04:00'], null],
    ['25 o’clock', one('time'), ['25:00'], 'not_a_time'],
    ['half past nine', one('time'), ['09:30'], null],
    ['no address', one('url'), ['example.org'], 'not_an_address'],
    ['an address', one('url'), ['https://example.org'], null],
    ['too long', one('string', { maxLength: 3 }), ['abcd'], 'too_long'],
    ['longer than anything', one('text'), ['x'.repeat(10_001)], 'too_long'],
    ['too short', one('string', { extension: limits(['minLength', { valueInteger: 3 }]) }), ['ab'], 'too_short'],
    [
      'another form',
      one('string', { extension: limits(['regex', { valueString: '\\d+' }]) }),
      ['12a'],
      'wrong_pattern',
    ],
    ['NUL', one('string'), ['a\0b'], 'wrong_characters'],
    ['half a character', one('text'), ['\ud800'], 'wrong_characters'],
    ['not offered', one('choice', { answerOption: codes('x') }), [{ code: 'y' }], 'not_an_option'],
    ['own words where none are taken', one('choice', { answerOption: codes('x') }), ['y'], 'not_an_option'],
    ['own words', one('open-choice', { answerOption: codes('x') }), ['y'], null],
    ['a stranger’s code', one('open-choice', { answerOption: codes('x') }), [{ code: 'y' }], 'not_an_option'],
    ['a list kept elsewhere takes words', one('choice', { answerValueSet: 'http://x' }), [{ display: 'y' }], null],
    [
      'twice',
      one('choice', { repeats: true, answerOption: codes('x', 'y') }),
      [{ code: 'x' }, { code: 'x' }],
      'said_twice',
    ],
    ['too many', one('string'), ['a', 'b'], 'too_many'],
    [
      'more than it takes',
      one('string', { repeats: true, extension: limits(['questionnaire-maxOccurs', { valueInteger: 1 }]) }),
      ['a', 'b'],
      'too_many',
    ],
    [
      'too few',
      one('string', { repeats: true, extension: limits(['questionnaire-minOccurs', { valueInteger: 2 }]) }),
      ['a'],
      'too_few',
    ],
    ['no amount', one('quantity', { extension: kg }), [{ unit: 'kg' }], 'not_a_number'],
    ['another unit', one('quantity', { extension: kg }), [{ value: 1, unit: 'lb' }], 'wrong_unit'],
    ['an amount', one('quantity', { extension: kg }), [{ value: 1, unit: 'kg', code: 'kg' }], null],
    ['no file', one('attachment'), [{ contentType: 'image/png' }], 'wrong_kind'],
    [
      'another kind of file',
      one('attachment', { extension: limits(['mimeType', { valueCode: 'image/*' }]) }),
      [{ ...file, contentType: 'text/html' }],
      'wrong_file_type',
    ],
    ['a picture', one('attachment', { extension: limits(['mimeType', { valueCode: 'image/*' }]) }), [file], null],
    [
      'an amount that is too exact',
      one('quantity', { extension: limits(['maxDecimalPlaces', { valueInteger: 1 }]) }),
      [{ value: 1.25, unit: 'kg' }],
      'too_many_decimals',
    ],
    ['three emoji for three characters', one('string', { maxLength: 3 }), ['👩‍⚕️🏳️‍🌈é'], null],
    ['four emoji for three characters', one('string', { maxLength: 3 }), ['👩‍⚕️🏳️‍🌈👍🏽👍🏽'], 'too_long'],
    [
      'one emoji for two characters',
      one('string', { extension: limits(['minLength', { valueInteger: 2 }]) }),
      ['👩‍⚕️'],
      'too_short',
    ],
    [
      'too large a file',
      one('attachment', { extension: limits(['maxSize', { valueDecimal: 1 }]) }),
      [{ ...file, size: 1_000_001 }],
      'file_too_big',
    ],
  ];

  test.each(rows.filter(([name]) => name !== 'a time without zone'))('%s', (_, item, said, code) => {
    const problems = problemsOf(form(item), { a: said }, today);
    expect(problems.map((problem) => problem.code)).toEqual(code ? [code] : []);
    expect(problemsOf(form(item), { a: said }, today).length === 0).toBe(code === null);
    for (const problem of problems) expect(problemMessage(problem, 'es')).not.toMatch(/\{n\}/);
  });

  test('a limit is written as people write it', () => {
    const [problem] = problemsOf(form(one('date', { extension: beforeToday })), { a: ['2026-05-05'] }, today);
    expect(problem && problemMessage(problem, 'en')).toBe('Please enter May 4, 2026 or earlier.');
    expect(problem && problemMessage(problem, 'es')).toBe('Ingrese 4 de mayo de 2026 o antes.');
  });

  test('a hidden, read-only or disabled item is never missing', () => {
    const hidden = [{ url: `${base}questionnaire-hidden`, valueBoolean: true }];
    const asked = one('string', { linkId: 'b', text: 'b' });
    for (const more of [
      { extension: hidden },
      { readOnly: true },
      { enableWhen: [{ question: 'b', operator: '=' as const, answerString: 'x' }] },
    ])
      expect(problemsOf(form(asked, one('string', { required: true, ...more })), { b: ['y'] })).toEqual([]);
  });

  test('a question in a hidden group is never missing, and its answer alone leaves the form blank', () => {
    const hidden = [{ url: `${base}questionnaire-hidden`, valueBoolean: true }];
    const inside = form(
      { linkId: 'g', type: 'group', extension: hidden, item: [one('string', { required: true })] },
      one('string', { linkId: 'b', text: 'b' }),
    );
    expect(problemsOf(inside, { b: ['y'] })).toEqual([]);
    expect(problemsOf(inside, { a: ['y'] }).map(({ code }) => code)).toEqual(['blank']);
    const groups = form(
      {
        linkId: 'g',
        type: 'group',
        extension: hidden,
        item: [{ linkId: 'h', type: 'group', required: true, item: [one('string')] }],
      },
      one('string', { linkId: 'b', text: 'b' }),
    );
    expect(problemsOf(groups, { b: ['y'] })).toEqual([]);
  });

  test('a file that no photo can be is never missing', () => {
    const pdfOnly = limits(['mimeType', { valueCode: 'application/pdf' }]);
    const asked = form(one('attachment', { required: true, extension: pdfOnly }), one('string', { linkId: 'b' }));
    expect(problemsOf(asked, { b: ['y'] })).toEqual([]);
    const pictures = form(
      one('attachment', { required: true, extension: [...pdfOnly, ...limits(['mimeType', { valueCode: 'image/*' }])] }),
      one('string', { linkId: 'b' }),
    );
    expect(problemsOf(pictures, { b: ['y'] }).map(({ code }) => code)).toEqual(['no_photo']);
  });

  test('a required group needs something in it', () => {
    const group = form(
      { linkId: 'g', type: 'group', required: true, item: [one('string')] },
      one('string', { linkId: 'b' }),
    );
    expect(problemsOf(group, { b: ['x'] })).toEqual([{ code: 'required', linkId: 'g', path: 'g' }]);
    expect(problemsOf(group, { a: ['x'] })).toEqual([]);
  });
});

describe('what the server refuses', () => {
  const questionnaire = form(
    one('boolean', { required: true }),
    { linkId: 'b', text: 'b', type: 'string', enableWhen: [{ question: 'a', operator: '=', answerBoolean: true }] },
    { linkId: 'g', type: 'group', repeats: true, item: [{ linkId: 'c', text: 'c', type: 'integer' }] },
  );
  const response = (item: unknown[]) => ({ resourceType: 'QuestionnaireResponse', status: 'completed', item }) as never;
  const codes = (item: unknown[]) => checkResponse(questionnaire, response(item)).map(({ code }) => code);
  const no = { linkId: 'a', answer: [{ valueBoolean: false }] };

  test('an answer to a hidden question is never filed', () => {
    const answers = { a: [false], b: ['kept'] };
    expect(JSON.stringify(toResponse(questionnaire, answers, { status: 'completed' }))).not.toContain('kept');
    expect(enabledAnswers(questionnaire, answers)).toEqual({ a: [false], g: [1] });
    expect(codes([no, { linkId: 'b', answer: [{ valueString: 'x' }] }])).toEqual(['not_asked']);
  });

  test('answers of another version of the form', () => {
    expect(enabledAnswers(questionnaire, { a: [false], old: ['x'] })).toEqual({ a: [false], g: [1] });
    expect(codes([no, { linkId: 'old', answer: [{ valueString: 'x' }] }])).toEqual(['no_such_item']);
  });

  test.each([
    ['another kind of value', [{ linkId: 'a', answer: [{ valueString: 'false' }] }], 'wrong_kind'],
    [
      'two answers to one question',
      [{ linkId: 'a', answer: [{ valueBoolean: false }, { valueBoolean: true }] }],
      'too_many',
    ],
    ['the same question twice', [no, no], 'said_twice'],
    ['a question outside its group', [no, { linkId: 'c', answer: [{ valueInteger: 1 }] }], 'no_such_item'],
    ['a group that answers', [no, { linkId: 'g', answer: [{ valueInteger: 1 }] }], 'wrong_kind'],
    ['nothing', [], 'required'],
    ['no list', 'abc', 'wrong_kind'],
  ])('%s', (_, item, code) => expect(codes(item as unknown[])).toContain(code));

  test('repetitions are read back one by one', () => {
    const answers = { a: [true], b: ['x'], g: [3], 'c#0': [1], 'c#2': [3] };
    const written = toResponse(questionnaire, answers, { status: 'completed' });
    expect(fromResponse(questionnaire, written)).toEqual({
      answers: { a: [true], b: ['x'], g: [2], 'c#0': [1], 'c#1': [3] },
      problems: [],
    });
  });
});

test('a date before 1900 has an implausible year, unless the form says how early it may be', () => {
  const dated = (linkId: string, extension: Extension[] = []) => ({ linkId, type: 'date', extension });
  const form: Questionnaire = {
    resourceType: 'Questionnaire',
    item: [dated('since'), dated('founded', [{ url: urls.minValue, valueDate: '1700-01-01' }])],
  };
  expect(problemsOf(form, { since: ['1823-05-04'], founded: ['1823-05-04'] })).toMatchObject([
    { code: 'implausible_year', linkId: 'since', detail: '1823' },
  ]);
  expect(problemsOf(form, { since: ['1923'] })).toEqual([]);
});

test.each([
  [
    'month',
    '5//',
    'Please enter the month and all four digits of the year.',
    'Ingrese el mes y los cuatro dígitos del año.',
  ],
  [
    'month',
    '2026-13',
    'Please enter the month and all four digits of the year.',
    'Ingrese el mes y los cuatro dígitos del año.',
  ],
  ['month', '2026-06', 'Please enter May 2026 or earlier.', 'Ingrese mayo de 2026 o antes.'],
  ['year', '//26', 'Please enter all four digits of the year.', 'Ingrese los cuatro dígitos del año.'],
  ['year', '2027', 'Please enter 2026 or earlier.', 'Ingrese 2026 o antes.'],
])('the message about a date of precision %s names no day when %s was entered', (precision, value, en, es) => {
  const extension = [...beforeToday, { url: urls.datePrecision, valueCode: precision }];
  const [problem] = problemsOf(form(one('date', { extension })), { a: [value] }, today);
  expect(problem && [problemMessage(problem, 'en'), problemMessage(problem, 'es')]).toEqual([en, es]);
});

test('a condition may compare a date with a day counted from today', () => {
  const calculated = {
    url: urls.calculatedValue,
    valueExpression: { language: 'text/fhirpath', expression: 'today()' },
  };
  const form: Questionnaire = {
    resourceType: 'Questionnaire',
    item: [
      { linkId: 'expires', type: 'date' },
      {
        linkId: 'why',
        type: 'string',
        required: true,
        enableWhen: [{ question: 'expires', operator: '<', _answerDate: { extension: [calculated] } }],
      },
    ],
  };
  const today = { today: '2026-05-04' };
  expect(problemsOf(form, { expires: ['2026-05-03'] }, today)).toMatchObject([{ code: 'required', linkId: 'why' }]);
  expect(problemsOf(form, { expires: ['2026-05-04'] }, today)).toEqual([]);
  expect(problemsOf(form, { expires: ['2026-05-03'] })).toEqual([]);
});

describe('a date of the patient’s life', () => {
  const flagged = (url: string, value: object) => ({ url, ...value });
  const born: Item = {
    linkId: 'born',
    type: 'date',
    extension: [flagged(urls.hidden, { valueBoolean: true }), flagged(urls.known, { valueCode: 'birth-date' })],
  };
  const since = one('date', { extension: [flagged(urls.sinceBirth, { valueBoolean: true })] });
  const codesOf = (said: string, birthDate?: string) =>
    problemsOf(form(born, since), { a: [said], ...(birthDate && { born: [birthDate] }) }, today).map(
      ({ code }) => code,
    );

  test.each([
    ['2019', '2020-06-15', ['before_birth']],
    ['2020-05', '2020-06-15', ['before_birth']],
    ['2020', '2020-06-15', []],
    ['2020-06', '2020-06-15', []],
    ['2019', undefined, []],
  ])('%s with the birth date %s: %j', (said, birthDate, expected) => {
    expect(codesOf(said, birthDate)).toEqual(expected);
  });
});

test('a missing photo is asked for as a photo', () => {
  expect(problemsOf(form(one('attachment', { required: true })), {}, today)).toMatchObject([{ code: 'no_photo' }]);
});
