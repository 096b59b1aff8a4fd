import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import {
  settleCalculations,
  startExpressions,
  type CalculationResult,
} from '#questionnaire/expressions/expressions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';

/** What a form works out by itself. */
export interface Calculations {
  (answers: Answers): Pick<CalculationResult, 'answers' | 'setting'>;
  /** The answers a form begins with. */
  begin(answers: Answers): Answers;
}

/** Fetched only for a form that calculates: what it needs is larger than the page. */
export async function loadCalculations(questionnaire: Questionnaire, today: string): Promise<Calculations> {
  const expressions = await loadExpressions();
  const workOut = (given: Answers) => {
    const { answers, setting } = settleCalculations(questionnaire, given, expressions, { today });
    return { answers, setting };
  };
  const begin = (answers: Answers) => startExpressions(questionnaire, answers, expressions, { today });
  return Object.assign(workOut, { begin });
}
