import { describe, expect, test } from 'vitest';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { expression } from '#questionnaire/test-builders.ts';
import { settleCalculations } from './expressions.ts';
import { loadExpressions } from './fhirpath.ts';

const expressions = await loadExpressions();

/** The results of expressions at 23:30 in New York, when it is already the next day in Greenwich. */
function atHalfPastEleven(type: string, text: string): unknown {
  const item = { linkId: 'a', type, text: 'a', extension: [expression('calculatedExpression', text)] };
  const form = { resourceType: 'Questionnaire', status: 'active', item: [item] } as Questionnaire;
  const setting = { today: '2026-03-02', timeZone: 'America/New_York', now: '2026-03-03T04:30:00.000Z' };
  return settleCalculations(form, {}, expressions, setting).answers['a']?.[0];
}

describe('expressions about the present, late in the evening', () => {
  test.each([
    ['date', 'today()', '2026-03-02'],
    ['date', 'now().toDate()', '2026-03-02'],
    ['dateTime', 'now()', '2026-03-02T23:30:00.000-05:00'],
    ['string', 'now().toString().substring(0, 10)', '2026-03-02'],
    ['time', 'timeOfDay()', '23:30:00.000'],
    ['boolean', 'now() - 1 hour > @2026-03-02T22:00:00-05:00 and now() < @2026-03-03T05:00:00Z', true],
    ['boolean', 'today() - 18 years = @2008-03-02', true],
  ])('a %s calculated as %s is of the practice’s day', (type, text, result) => {
    expect(atHalfPastEleven(type, text)).toBe(result);
  });

  test.each([
    ["'as of today()'", 'as of today()'],
    ["'today() and now()' & '' /* today() */", 'today() and now()'],
  ])('text in quotes is left alone: %s', (text, result) => {
    expect(atHalfPastEleven('string', text)).toBe(result);
  });
});
