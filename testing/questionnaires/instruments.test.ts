import { beforeAll, describe, expect, test } from 'vitest';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { urls } from '#questionnaire/extensions.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { AnswerOption, Extension, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { instruments, type Instrument } from './instruments.ts';

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
});

const system = 'urn:test:answers';
const code = (question: number, answer: number) => ({ system, code: `${question}-${answer}` });
const fhirpath = (url: string, expression: string, name?: string): Extension => ({
  url,
  valueExpression: { language: 'text/fhirpath', expression, ...(name && { name }) },
});

/** The ways in which published questionnaires say what an answer counts, and how they add it up. */
const styles: readonly [string, (points: number, coding: object) => AnswerOption, string][] = [
  [
    'ordinalValue at the coding, read by its address',
    (valueDecimal, coding) => ({ valueCoding: { ...coding, extension: [{ url: urls.ordinalValue, valueDecimal }] } }),
    `%resource.item.where(linkId.startsWith('q')).answer.value.extension.where(url='${urls.ordinalValue}').value`,
  ],
  [
    'itemWeight at the answerOption, read by weight()',
    (valueDecimal, coding) => ({ valueCoding: coding, extension: [{ url: urls.itemWeight, valueDecimal }] }),
    "%resource.descendants().where(linkId.startsWith('q')).answer.value.weight()",
  ],
  [
    'ordinalValue at the answerOption, read by ordinal()',
    (valueDecimal, coding) => ({ valueCoding: coding, extension: [{ url: urls.ordinalValue, valueDecimal }] }),
    '%rootResource.item.answer.value.ordinal()',
  ],
];

function questionnaireOf({ items, score, bands }: Instrument, style: (typeof styles)[number]): Questionnaire {
  const [, optionOf, points] = style;
  const question = (counts: readonly number[], i: number): Item => ({
    linkId: `q${i + 1}`,
    text: `${i + 1}`,
    type: 'choice',
    answerOption: counts.map((count, nth) => optionOf(count, code(i, nth))),
  });
  const band = `0${(bands ?? []).map((from) => ` + iif(%total >= ${from}, 1, 0)`).join('')}`;
  const calculated = (linkId: string, expression: string, name?: string): Item => ({
    linkId,
    text: linkId,
    type: 'decimal',
    readOnly: true,
    extension: [fhirpath(urls.calculated, expression, name)],
  });
  return {
    resourceType: 'Questionnaire',
    extension: [fhirpath(urls.variable, points, 'points')],
    item: [...items.map(question), calculated('total', score ?? '%points.sum()', 'total'), calculated('band', band)],
  };
}

test('at least thirty instruments are scored', () => expect(instruments.length).toBeGreaterThanOrEqual(30));

describe.each(styles)('%s', (...style) => {
  test.each(instruments.map((one) => [one.name, one] as const))(
    '%s scores as its publication says',
    (_, instrument) => {
      const { questionnaire, findings, isUsable } = checkQuestionnaire(
        JSON.stringify(questionnaireOf(instrument, style)),
      );
      expect(findings.map((finding) => finding.code)).toEqual(['not_translated']);
      expect(isUsable).toBe(true);
      for (const { chosen, score, band } of instrument.cases) {
        const given = Object.fromEntries(
          chosen.flatMap((answer, i) => (answer === null ? [] : [[`q${i + 1}`, [code(i, answer)]]])),
        );
        const { answers, failed } = settleCalculations(questionnaire as Questionnaire, given, expressions);
        expect(failed).toEqual([]);
        expect({ chosen, score: answers['total'] }).toEqual({ chosen, score: [score] });
        if (band !== undefined) expect({ chosen, band: answers['band'] }).toEqual({ chosen, band: [band] });
      }
    },
  );
});
