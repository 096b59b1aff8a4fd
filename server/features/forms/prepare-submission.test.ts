import { describe, expect, test, vi } from 'vitest';
import { checkResponse } from '#questionnaire/expressions/response.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { urls } from '#questionnaire/extensions.ts';
import { prepareSubmission } from './prepare-submission.ts';

vi.mock('#questionnaire/expressions/response.ts', async (original) => {
  const actual = await original<typeof import('#questionnaire/expressions/response.ts')>();
  return { ...actual, checkResponse: vi.fn<typeof actual.checkResponse>(actual.checkResponse) };
});

const base = 'http://hl7.org/fhir/StructureDefinition/';
const hidden = { url: `${base}questionnaire-hidden`, valueBoolean: true };
const calculatedAs = (expression: string) => ({
  url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
  valueExpression: { language: 'text/fhirpath', expression },
});
const answerTo = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value`;

/** What is filed when a person answered these questions, besides an item that nobody can change. */
async function filedWith(fixed: Partial<Item>, answers: Answers, ...questions: Item[]) {
  const questionnaire: Questionnaire = {
    resourceType: 'Questionnaire',
    item: [...questions, { linkId: 'fixed', type: 'string', text: 'Fixed', ...fixed }],
  };
  const given = { ...initialAnswers(questionnaire), ...answers };
  const prepared = await prepareSubmission({ ...draft(), questionnaire, answers: given });
  if ('problems' in prepared) return prepared.problems.map(({ code, linkId }) => [code, linkId]);
  return prepared.response.item?.find(({ linkId }) => linkId === 'fixed')?.answer;
}

const draft = () => ({
  questionnaire: {
    resourceType: 'Questionnaire' as const,
    status: 'active' as const,
    item: [{ linkId: 'reason', type: 'string' as const, text: 'Why are you here?', required: true }],
  },
  answers: { reason: ['Cough'] },
  files: new Map(),
  today: '2026-03-02',
  timeZone: 'America/New_York',
  about: { status: 'completed' as const },
});

test('a submission is checked once more as the response that will be stored, and refused for what is wrong there', async () => {
  expect(await prepareSubmission(draft())).toMatchObject({ response: { item: [{ linkId: 'reason' }] } });
  const problem = { path: 'reason', linkId: 'reason', code: 'required' } as const;
  vi.mocked(checkResponse).mockReturnValueOnce([problem]);
  expect(await prepareSubmission(draft())).toEqual({ problems: [problem] });
});

describe('a form can be submitted whatever a value is that nobody can change', () => {
  const decimal = (linkId: string) => ({ linkId, type: 'decimal', text: linkId });
  const maxDecimals = { url: `${base}maxDecimalPlaces`, valueInteger: 1 };
  const maxValue = { url: `${base}maxValue`, valueDecimal: 10 };
  const bodyMass = `${answerTo('kg')} / (${answerTo('m')} * ${answerTo('m')})`;

  test('a calculated body mass index is filed with one decimal', async () => {
    const index = { type: 'decimal', readOnly: true, extension: [maxDecimals, calculatedAs(bodyMass)] };
    const given = { kg: [70], m: [1.73] };
    expect(await filedWith(index, given, decimal('kg'), decimal('m'))).toEqual([{ valueDecimal: 23.4 }]);
  });

  test('a calculated amount is filed with one decimal', async () => {
    const amount = {
      type: 'quantity',
      readOnly: true,
      extension: [maxDecimals, calculatedAs(`${answerTo('kg')} / 3`)],
    };
    expect(await filedWith(amount, { kg: [70] }, decimal('kg'))).toEqual([{ valueQuantity: { value: 23.3 } }]);
  });

  test('a calculated number above its highest value', async () => {
    const high = { type: 'decimal', readOnly: true, extension: [maxValue, calculatedAs(answerTo('kg'))] };
    expect(await filedWith(high, { kg: [70] }, decimal('kg'))).toEqual([{ valueDecimal: 70 }]);
  });

  test('a hidden calculated text that is too long', async () => {
    const long = { maxLength: 3, extension: [hidden, calculatedAs(answerTo('name'))] };
    const name = { linkId: 'name', type: 'string', text: 'Name' };
    expect(await filedWith(long, { name: ['Adelaide'] }, name)).toEqual([{ valueString: 'Adelaide' }]);
  });

  const choice = { type: 'choice', answerOption: [{ valueCoding: { code: 'a' } }] };
  const rows: [string, Partial<Item>, unknown][] = [
    [
      'a hidden choice of no option',
      { ...choice, extension: [hidden], initial: [{ valueCoding: { code: 'z' } }] },
      { valueCoding: { code: 'z' } },
    ],
    [
      'a number above its highest value',
      { type: 'integer', readOnly: true, extension: [maxValue], initial: [{ valueInteger: 19 }] },
      { valueInteger: 19 },
    ],
    [
      'a text that is too short',
      { readOnly: true, extension: [{ url: `${base}minLength`, valueInteger: 3 }], initial: [{ valueString: 'a' }] },
      { valueString: 'a' },
    ],
    [
      'a text of another pattern',
      { extension: [hidden, { url: `${base}regex`, valueString: '[0-9]+' }], initial: [{ valueString: 'v1' }] },
      { valueString: 'v1' },
    ],
    [
      'a day before 1900',
      { type: 'date', extension: [hidden], initial: [{ valueDate: '1800-01-01' }] },
      { valueDate: '1800-01-01' },
    ],
    [
      'a file',
      {
        type: 'attachment',
        readOnly: true,
        initial: [{ valueAttachment: { contentType: 'text/html', url: 'https://example.org' } }],
      },
      { valueAttachment: { contentType: 'text/html', url: 'https://example.org' } },
    ],
  ];
  test.each(rows)('that begins as %s', async (_what, fixed, filed) => {
    const reason = { linkId: 'reason', type: 'string', text: 'Why are you here?' };
    expect(await filedWith(fixed, { reason: ['Cough'] }, reason)).toEqual([filed]);
  });

  test('a limit still holds where a person can answer', async () => {
    const high = { type: 'decimal', extension: [maxValue] };
    expect(await filedWith(high, { fixed: [70] })).toEqual([['too_high', 'fixed']]);
  });
});

describe('what a phone sends for an answer that nobody can change is not filed', () => {
  const given = { reason: ['Cough'], fixed: ['FORGED'] };
  const reason = { linkId: 'reason', type: 'string', text: 'Why are you here?' };
  const initialBy = (expression: string) => ({
    url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-initialExpression',
    valueExpression: { language: 'text/fhirpath', expression },
  });

  test.each<[string, Partial<Item>, unknown]>([
    [
      'a read-only answer is the initial one',
      { readOnly: true, initial: [{ valueString: 'v1' }] },
      [{ valueString: 'v1' }],
    ],
    [
      'a hidden answer is the initial one',
      { extension: [hidden], initial: [{ valueString: 'v1' }] },
      [{ valueString: 'v1' }],
    ],
    [
      'a hidden answer is what its expression gives',
      { extension: [hidden, initialBy("'v' & '2'")] },
      [{ valueString: 'v2' }],
    ],
    ['a hidden answer without a value stays empty', { extension: [hidden] }, undefined],
    ['a calculation without a result stays empty', { extension: [hidden, calculatedAs('{}')] }, undefined],
    ['an answer that a person can change is theirs', { initial: [{ valueString: 'v1' }] }, [{ valueString: 'FORGED' }]],
  ])('%s', async (_what, item, filed) => {
    expect(await filedWith(item, given, reason)).toEqual(filed);
  });

  test('a hidden name is that of the patient', async () => {
    const item = {
      linkId: 'fixed',
      type: 'string',
      text: 'Name',
      extension: [hidden, { url: urls.known, valueString: 'name' }],
    };
    const known = { name: 'Ada Byron', filledBy: 'Anne Byron', birthDate: null, phone: null };
    const questionnaire = { ...draft().questionnaire, item: [reason, item] };
    const prepared = await prepareSubmission({ ...draft(), questionnaire, answers: given, known });
    expect(prepared).toMatchObject({ answers: { fixed: ['Ada Byron'] } });
  });

  test('each repetition of a group has its initial answer', async () => {
    const inside = [
      reason,
      { linkId: 'fixed', type: 'string', text: 'Fixed', extension: [hidden], initial: [{ valueString: 'v1' }] },
    ];
    const questionnaire = {
      ...draft().questionnaire,
      item: [{ linkId: 'g', type: 'group', repeats: true, item: inside }],
    };
    const answers = { g: [2], 'reason#0': ['A'], 'reason#1': ['B'], 'fixed#0': ['FORGED'], 'fixed#1': ['FORGED'] };
    const prepared = await prepareSubmission({ ...draft(), questionnaire, answers });
    expect(prepared).toMatchObject({ answers: { 'fixed#0': ['v1'], 'fixed#1': ['v1'] } });
  });
});

test('a form filed at 23:30 has the office’s day, whichever function its expressions use', async () => {
  const item = (linkId: string, expression: string): Item => ({
    linkId,
    type: 'date',
    text: linkId,
    readOnly: true,
    extension: [calculatedAs(expression)],
  });
  const prepared = await prepareSubmission({
    ...draft(),
    questionnaire: {
      resourceType: 'Questionnaire',
      item: [...draft().questionnaire.item, item('a', 'today()'), item('b', 'now().toDate()')],
    },
    about: { status: 'completed', authored: '2026-03-03T04:30:00.000Z' },
  });
  expect(prepared).toMatchObject({ answers: { a: ['2026-03-02'], b: ['2026-03-02'] } });
});
