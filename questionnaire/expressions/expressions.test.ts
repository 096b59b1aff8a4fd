import { beforeAll, describe, expect, test } from 'vitest';
import { checkExpressions, needsExpressions, settleCalculations, startExpressions } from './expressions.ts';
import type { Expressions } from './expression-library.ts';
import { loadExpressions, calculateAnswers } from './fhirpath.ts';
import { isOverwritten, overwrittenKey, withOverwritten } from '#questionnaire/overwritten.ts';
import { withAnswer } from '#questionnaire/set-answer.ts';
import { visibleItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from './enabled-answers.ts';
import { createCalculator } from './calculator.ts';
import { checkResponse, fromResponse, toResponse } from './response.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';
const by = (kind: string, expression: string): Extension => ({
  url: `${sdc}${kind}`,
  valueExpression: { language: 'text/fhirpath', expression },
});
const variable = (name: string, expression: string): Extension => ({
  url: 'http://hl7.org/fhir/StructureDefinition/variable',
  valueExpression: { name, language: 'text/fhirpath', expression },
});
const form = (item: Item[], extension: Extension[] = []): Questionnaire => ({
  resourceType: 'Questionnaire',
  item,
  extension,
});
const named = (name: string, expression: string): Extension => ({
  url: `${sdc}calculatedExpression`,
  valueExpression: { name, language: 'text/fhirpath', expression },
});
const answer = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value`;

const bodyMass = form([
  { linkId: 'height', text: 'm', type: 'decimal' },
  { linkId: 'weight', text: 'kg', type: 'decimal' },
  {
    linkId: 'bmi',
    text: 'BMI',
    type: 'decimal',
    readOnly: true,
    extension: [
      by('calculatedExpression', `(${answer('weight')} / (${answer('height')} * ${answer('height')})).round(1)`),
    ],
  },
  {
    linkId: 'talk',
    text: 'Talk?',
    type: 'boolean',
    required: true,
    extension: [by('enableWhenExpression', `${answer('bmi')} > 30`)],
  },
]);
const hidden: Extension = {
  url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-hidden',
  valueBoolean: true,
};
const score: Item = {
  linkId: 'score',
  text: 'Score',
  type: 'integer',
  extension: [by('calculatedExpression', `${answer('a')} * 2`)],
};
const hiddenScore = form([
  { linkId: 'a', text: 'a', type: 'integer' },
  { linkId: 'scores', text: 'Scores', type: 'group', extension: [hidden], item: [score] },
]);

const shown = (questionnaire: Questionnaire, answers: object) => {
  const settled = settleCalculations(questionnaire, answers as never, expressions);
  return visibleItems(questionnaire, settled.answers, settled.setting).map(({ id }) => id);
};

describe('calculations', () => {
  test('a calculated value enables the items that depend on it', () => {
    const heavy = settleCalculations(bodyMass, { height: [1.6], weight: [90] }, expressions);
    expect(heavy.answers['bmi']).toEqual([35.2]);
    expect(heavy.failed).toEqual([]);
    expect(shown(bodyMass, { height: [1.6], weight: [90] })).toContain('talk');
    expect(shown(bodyMass, { height: [1.8], weight: [70] })).not.toContain('talk');
    expect(shown(bodyMass, {})).not.toContain('talk');
  });

  const calculated = (expression: string, item: Partial<Item>) =>
    form([
      {
        linkId: 'a',
        text: 'A',
        type: 'integer',
        readOnly: true,
        ...item,
        extension: [...(item.extension ?? []), by('calculatedExpression', expression)],
      },
    ]);
  const settledFor = (expression: string, item: Partial<Item>) => {
    const { answers, failed } = settleCalculations(calculated(expression, item), {}, expressions);
    return [answers['a'], failed];
  };
  const kg = {
    url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-unit',
    valueCoding: { system: 'http://unitsofmeasure.org', code: 'kg' },
  };

  test.each<[string, string, Partial<Item>, unknown]>([
    ['a whole number is rounded', '7 / 45 * 100', { type: 'integer' }, 16],
    ['a half is rounded up', '5 / 2', { type: 'integer' }, 3],
    ['a decimal has no noise', '0.1 + 0.2', { type: 'decimal' }, 0.3],
    ['a third keeps its digits', '1 / 3', { type: 'decimal' }, 0.333333333333333],
    ['an amount has no noise', '0.1 + 0.2', { type: 'quantity' }, { value: 0.3 }],
  ])('%s', (_what, expression, item, result) => {
    expect(settledFor(expression, item)).toEqual([[result], []]);
  });

  test.each<[string, string, Partial<Item>]>([
    ['no option', "'zzz'", { type: 'choice', answerOption: [{ valueCoding: { code: 'x' } }] }],
    ['a text for a number', "'many'", { type: 'integer' }],
    ['another unit', "5 'g'", { type: 'quantity', extension: [kg] }],
  ])('a result that is %s is left out and reported', (_what, expression, item) => {
    expect(settledFor(expression, item)).toEqual([undefined, ['a']]);
    const findings = checkExpressions(calculated(expression, item), expressions);
    expect(findings).toMatchObject([{ code: 'expression_result_unfit', severity: 'warning', linkId: 'a', expression }]);
  });

  test('a calculation replaces the value that a phone sent', () => {
    expect(settleCalculations(bodyMass, { height: [2], weight: [80], bmi: [1] }, expressions).answers['bmi']).toEqual([
      20,
    ]);
    expect(settleCalculations(bodyMass, { bmi: [1] }, expressions).answers['bmi']).toBeUndefined();
  });

  test('a person may answer an item whose calculation has no result', () => {
    const open = form([
      { linkId: 'x', text: 'x', type: 'string', extension: [by('calculatedExpression', answer('y'))] },
    ]);
    expect(settleCalculations(open, { x: ['mine'] }, expressions).answers).toEqual({ x: ['mine'] });
  });

  test('checkResponse refuses an answer to an item that its expression disables', () => {
    const { answers, setting } = settleCalculations(
      bodyMass,
      { height: [1.8], weight: [70], talk: [true] },
      expressions,
    );
    const response = toResponse(bodyMass, answers, { status: 'completed' }, { ...setting, decided: new Map() });
    expect(JSON.stringify(response)).toContain('talk');
    expect(checkResponse(bodyMass, response, setting).map(({ code }) => code)).toEqual(['not_asked']);
  });

  test('scores are added up by what each option counts in its own question', () => {
    const scale = (linkId: string, ...scores: number[]): Item => ({
      linkId,
      text: linkId,
      type: 'choice',
      answerOption: scores.map((valueDecimal, i) => ({
        valueCoding: {
          code: `c${i}`,
          extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/ordinalValue', valueDecimal }],
        },
      })),
    });
    const sum = form(
      [
        scale('/s/1', 0, 3),
        scale('/s/2', 3, 0),
        { linkId: 't', text: 't', type: 'integer', extension: [by('calculatedExpression', '%scores.sum()')] },
      ],
      [variable('scores', "%resource.descendants().where(linkId.startsWith('/s/')).answer.value.ordinal()")],
    );
    expect(
      settleCalculations(sum, { '/s/1': [{ code: 'c1' }], '/s/2': [{ code: 'c0' }] }, expressions).answers['t'],
    ).toEqual([6]);
  });

  test('in a repetition it looks at that repetition', () => {
    const rows = form([
      {
        linkId: 'row',
        type: 'group',
        repeats: true,
        item: [
          { linkId: 'n', text: 'n', type: 'integer' },
          {
            linkId: 'twice',
            text: 'twice',
            type: 'integer',
            extension: [by('calculatedExpression', "item.where(linkId='n').answer.value * 2")],
          },
        ],
      },
    ]);
    const { answers } = settleCalculations(rows, { row: [2], 'n#0': [3], 'n#1': [10] }, expressions);
    expect([answers['twice#0'], answers['twice#1']]).toEqual([[6], [20]]);
    const named: Questionnaire = structuredClone(rows);
    const row = named.item?.[0] as Required<Item>;
    row.extension = [variable('here', "%context.item.where(linkId='n').answer.value")];
    (row.item[1] as Item).extension = [by('calculatedExpression', '%here + 100')];
    const again = settleCalculations(named, { row: [2], 'n#0': [3], 'n#1': [10] }, expressions).answers;
    expect([again['twice#0'], again['twice#1']]).toEqual([[103], [110]]);
  });

  test('an expression makes a coding with %factory', () => {
    const start = by('initialExpression', "%factory.Coding('http://example.org/codes', 'b')");
    const options = ['a', 'b'].map((code) => ({ valueCoding: { system: 'http://example.org/codes', code } }));
    const choice = form([{ linkId: 'pick', text: 'Pick', type: 'choice', answerOption: options, extension: [start] }]);
    expect(startExpressions(choice, {}, expressions)).toEqual({
      pick: [{ system: 'http://example.org/codes', code: 'b' }],
    });
  });

  test('a form starts with the results of its initial expressions, on the office’s day', () => {
    const dated = form([{ linkId: 'd', text: 'd', type: 'date', extension: [by('initialExpression', 'today()')] }]);
    expect(startExpressions(dated, {}, expressions, { today: '2026-05-04' })).toEqual({ d: ['2026-05-04'] });
    expect(startExpressions(dated, { d: ['2020-01-01'] }, expressions)).toEqual({ d: ['2020-01-01'] });
  });

  test.each([
    ['one that is not FHIRPath', '((('],
    ['one that asks another server', "%resource.item.answer.value.memberOf('http://x')"],
    ['one that is endless', `1${' + 1'.repeat(5000)}`],
    ['one that changes texts by a pattern', "'a'.replaceMatches('(a+)+$', '')"],
  ])('%s fails alone and stops nothing', (_, text) => {
    const broken = form([{ linkId: 'x', text: 'x', type: 'string', extension: [by('calculatedExpression', text)] }]);
    expect(settleCalculations(broken, {}, expressions)).toMatchObject({ answers: {}, failed: ['x'] });
    expect(checkExpressions(broken, expressions)[0]?.linkId).toBe('x');
  });

  test.each([
    ['a name that nothing defines', '%nobody.name.given', undefined],
    ['a name that nothing defines, added to an answer', `iif(%nobody.exists(), 1, ${answer('y')})`, [7]],
    ['the whole response', `%rootResource.item.where(linkId='y').answer.value`, [7]],
    ['the question itself', '%qitem.code.code.toInteger()', [41]],
    ['a calculation by its name', '%double + 1', [15]],
    ['a calculation of a name that stands for itself', '%self', undefined],
  ])('an expression sees %s', (_, text, expected) => {
    const seen = form([
      { linkId: 'y', text: 'y', type: 'integer' },
      {
        linkId: 'd',
        text: 'd',
        type: 'integer',
        extension: [named('double', `${answer('y')} * 2`)],
      },
      { linkId: 's', text: 's', type: 'integer', extension: [named('self', '%self')] },
      {
        linkId: 'x',
        text: 'x',
        type: 'integer',
        code: [{ code: '41' }],
        extension: [by('calculatedExpression', text)],
      },
    ]);
    const settled = settleCalculations(seen, { y: [7] }, expressions);
    expect([settled.failed, settled.answers['x']]).toEqual([[], expected]);
  });

  test('a person’s answer stays in the place of a calculation until they ask for the calculation again', () => {
    const double = form([
      { linkId: 'y', text: 'y', type: 'integer' },
      { linkId: 'x', text: 'x', type: 'integer', extension: [by('calculatedExpression', `${answer('y')} * 2`)] },
    ]);
    const { settle } = createCalculator(double, expressions, {}, () => undefined);
    const place = visibleItems(double, {}).find(({ key }) => key === 'x') as VisibleItem;
    const first = settle({ y: [7] }).answers;
    expect(first).toEqual({ y: [7], x: [14] });
    const byHand = withAnswer(first, place, [15]);
    const kept = settle({ ...byHand, y: [8] }).answers;
    expect([kept['x'], isOverwritten(kept, 'x')]).toEqual([[15], true]);
    const response = toResponse(double, enabledAnswers(double, kept), { status: 'completed' });
    expect(fromResponse(double, response)).toEqual({ answers: kept, problems: [] });
    expect(settle(withOverwritten(kept, 'x', false)).answers).toEqual({ y: [8], x: [16] });
  });

  test('nobody overwrites a read-only calculation, and its result does not look typed', () => {
    const forged = { height: [2], weight: [80], bmi: [1], [overwrittenKey]: ['bmi', 'bmi'] };
    const { answers } = settleCalculations(bodyMass, forged, expressions);
    expect(answers['bmi']).toEqual([20]);
    expect(enabledAnswers(bodyMass, answers)[overwrittenKey]).toBeUndefined();
  });

  test('nobody overwrites a calculation in a hidden group: nobody saw it', () => {
    const { answers } = settleCalculations(
      hiddenScore,
      { a: [2], score: [0], [overwrittenKey]: ['score'] },
      expressions,
    );
    expect(answers['score']).toEqual([4]);
  });

  test('an answer in a hidden group is dropped when its calculation has no result: nobody gave it', () => {
    const { answers } = settleCalculations(hiddenScore, { score: [7] }, expressions);
    expect(answers['score']).toBeUndefined();
  });

  test('after a change only the expressions run that depend on it, and nothing when nothing changed', () => {
    const double = (linkId: string, of: string): Item => ({
      linkId,
      text: linkId,
      type: 'integer',
      extension: [by('calculatedExpression', `${answer(of)} * 2`)],
    });
    const questions = ['a', 'b'].map((linkId): Item => ({ linkId, text: linkId, type: 'integer' }));
    const chain = form([...questions, double('c', 'a'), double('d', 'c'), double('e', 'b')]);
    const evaluated: string[] = [];
    const counting: Expressions = {
      ...expressions,
      evaluate: (questionnaire, text, place) => {
        evaluated.push(place.question?.linkId ?? '');
        return expressions.evaluate(questionnaire, text, place);
      },
    };
    const { settle } = createCalculator(chain, counting, {}, () => undefined);
    const first = settle({ a: [1], b: [2] }).answers;
    expect(first).toEqual({ a: [1], b: [2], c: [2], d: [4], e: [4] });
    expect(evaluated.splice(0).sort()).toEqual(['c', 'd', 'e']);
    expect(settle({ ...first, a: [5] }).answers).toEqual({ a: [5], b: [2], c: [10], d: [20], e: [4] });
    expect(evaluated.splice(0)).toEqual(['c', 'd']);
    settle({ ...first, a: [5], c: [10], d: [20] });
    expect(evaluated).toEqual([]);
  });

  test('answers changed one by one give what they give at once, also where they decide about other items', () => {
    const readOnly = (linkId: string, expression: string): Item => ({
      linkId,
      type: 'integer',
      readOnly: true,
      extension: [by('calculatedExpression', expression)],
    });
    const count = (linkId: string) => `iif(${answer(linkId)}.exists(), ${answer(linkId)}, 0)`;
    const inPart = `%resource.item.where(linkId='part').item`;
    const questionnaire = form([
      { linkId: 'a', type: 'integer' },
      { linkId: 'b', type: 'integer' },
      readOnly('sum', `${count('a')} + ${count('b')}`),
      readOnly('twice', `${count('sum')} * 2`),
      {
        linkId: 'part',
        type: 'group',
        enableWhen: [{ question: 'twice', operator: '>', answerInteger: 6 }],
        item: [
          { linkId: 'c', type: 'integer', item: [{ linkId: 'below', type: 'integer' }] },
          readOnly('inside', `${inPart}.where(linkId='c').answer.value + ${count('twice')}`),
          {
            linkId: 'late',
            type: 'integer',
            extension: [by('enableWhenExpression', `${inPart}.where(linkId='inside').answer.value > 12`)],
          },
        ],
      },
      {
        linkId: 'times',
        type: 'group',
        repeats: true,
        item: [
          { linkId: 'd', type: 'integer' },
          readOnly('more', `%context.item.where(linkId='d').answer.value + ${count('a')}`),
        ],
      },
      readOnly(
        'all',
        `%resource.item.where(linkId='times').item.where(linkId='more').answer.value.aggregate($this + $total, 0)`,
      ),
      readOnly('total', `${count('all')} + ${inPart}.where(linkId='late').answer.value.aggregate($this + $total, 0)`),
    ]);
    const kept = createCalculator(questionnaire, expressions, {}, () => expect.fail('nothing fails'));
    let turn = 7;
    const random = (below: number) => (turn = (turn * 48271) % 2147483647) % below;
    const keys = ['a', 'b', 'c', 'below', 'late', 'd.0', 'd.1'];
    let answers: Answers = {};
    const seen = new Set<string>();
    for (let step = 0; step < 300; step++) {
      const key = keys[random(keys.length)] ?? '';
      answers = { ...answers, [key]: random(4) === 0 ? [] : [random(5)], times: [2] };
      const settled = kept.settle(answers);
      const fresh = createCalculator(questionnaire, expressions, {}, () => undefined).settle(answers);
      expect(settled.answers).toEqual(fresh.answers);
      const ids = ({ answers: given, setting }: typeof settled) =>
        visibleItems(questionnaire, given, setting).map(({ id }) => id);
      expect(ids(settled)).toEqual(ids(fresh));
      answers = settled.answers;
      seen.add(JSON.stringify(ids(settled)));
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  test('forty calculations that follow each other settle', () => {
    const items = Array.from({ length: 40 }, (_, i): Item => ({
      linkId: `n${i}`,
      text: 'n',
      type: 'integer',
      ...(i > 0 && { extension: [by('calculatedExpression', `${answer(`n${i - 1}`)} + 1`)] }),
    }));
    const settled = settleCalculations(form(items.toReversed()), { n0: [0] }, expressions);
    expect([settled.failed, settled.answers['n39']]).toEqual([[], [39]]);
  });

  test('a calculation that fails is a warning, a condition that fails an error', () => {
    const failing = "%resource.item.answer.value.memberOf('http://x')";
    const of = (kind: string) =>
      checkExpressions(form([{ linkId: 'x', text: 'x', type: 'string', extension: [by(kind, failing)] }]), expressions);
    expect(of('calculatedExpression')).toMatchObject([{ code: 'expression_fails', severity: 'warning', linkId: 'x' }]);
    expect(of('initialExpression')).toMatchObject([{ code: 'expression_fails', severity: 'warning' }]);
    expect(of('enableWhenExpression')).toMatchObject([{ code: 'expression_fails', severity: 'error' }]);
  });

  test('calculations that change each other endlessly are stopped, and their items reported', () => {
    const chase = form([
      { linkId: 'a', text: 'a', type: 'integer', extension: [by('calculatedExpression', `${answer('b')} + 1`)] },
      { linkId: 'b', text: 'b', type: 'integer', extension: [by('calculatedExpression', `${answer('a')} + 1`)] },
    ]);
    expect(settleCalculations(chase, { a: [1], b: [1] }, expressions).failed).toEqual(['a', 'b']);
  });

  test('a pattern in an expression cannot run forever', () => {
    const slow = form([
      {
        linkId: 'x',
        text: 'x',
        type: 'boolean',
        extension: [by('calculatedExpression', `'${'a'.repeat(60)}!'.matches('^(a+)+$')`)],
      },
    ]);
    expect(settleCalculations(slow, {}, expressions).answers['x']).toEqual([false]);
  });

  test('only a questionnaire that calculates needs the library', async () => {
    const plain = form([{ linkId: 'a', text: 'a', type: 'string' }]);
    expect(await calculateAnswers(plain, { a: ['x'] }, { today: '2026-05-04' })).toEqual({
      answers: { a: ['x'] },
      setting: { today: '2026-05-04' },
      failed: [],
      isTooLarge: false,
    });
    expect((await calculateAnswers(bodyMass, { height: [2], weight: [80] })).answers['bmi']).toEqual([20]);
    expect(needsExpressions(bodyMass)).toBe(true);
    expect(needsExpressions(form([{ linkId: 'a', text: 'a', type: 'string' }]))).toBe(false);
  });
});
