import { createCalculator } from '#questionnaire/expressions/calculator.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { startExpressions, type CalculationResult } from '#questionnaire/expressions/expressions.ts';
import type { LaunchContext } from '#questionnaire/known/launch-context.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';

/** What a form works out by itself. It remembers the answers before, so a change evaluates only what depends on it. */
export interface Calculations {
  (answers: Answers): Pick<CalculationResult, 'answers' | 'setting'>;
  /** The answers a form begins with. */
  begin(answers: Answers): Answers;
  /** Those of them that are what the visit knows about the patient. */
  prefilled(answers: Answers): Answers;
}

/** Fetched only for a form that calculates: what it needs is larger than the page. */
export async function loadCalculations(
  questionnaire: Questionnaire,
  today: string,
  launch?: LaunchContext,
): Promise<Calculations> {
  const expressions = await loadExpressions();
  const { settle } = createCalculator(questionnaire, expressions, { today, launch }, () => undefined);
  const begin = (answers: Answers) => startExpressions(questionnaire, answers, expressions, { today, launch });
  const prefilled = (answers: Answers): Answers => {
    if (!launch) return {};
    const without = startExpressions(questionnaire, answers, expressions, { today });
    return changedBy(without, begin(answers));
  };
  return Object.assign(settle, { begin, prefilled });
}

/** The answers of `after` that are not the same in `before`. */
function changedBy(before: Answers, after: Answers): Answers {
  const isChanged = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => isChanged(key)));
}
