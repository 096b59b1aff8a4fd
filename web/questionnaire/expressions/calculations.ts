import { createCalculator } from '#questionnaire/expressions/calculator.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { startExpressions, type CalculationResult } from '#questionnaire/expressions/expressions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';

/** What a form works out by itself. It remembers the answers before, so a change evaluates only what depends on it. */
export interface Calculations {
  (answers: Answers): Pick<CalculationResult, 'answers' | 'setting'>;
  /** The answers a form begins with. */
  begin(answers: Answers): Answers;
}

/** Fetched only for a form that calculates: what it needs is larger than the page. */
export async function loadCalculations(questionnaire: Questionnaire, today: string): Promise<Calculations> {
  const expressions = await loadExpressions();
  const { settle } = createCalculator(questionnaire, expressions, { today }, () => undefined);
  const begin = (answers: Answers) => startExpressions(questionnaire, answers, expressions, { today });
  return Object.assign(settle, { begin });
}
