import { createCalculator, type SettledAnswers } from '#questionnaire/expressions/calculator.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { startExpressions } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { CalculatedForm, StartingAnswers } from './calculated-form.ts';

/** The calculations of one form, on the thread that calls them. */
export interface FormCalculations {
  begin(answers: Answers): StartingAnswers;
  /** Adds what the form calculates. It remembers the answers before, so a change evaluates only what depends on it. */
  settle(answers: Answers): SettledAnswers;
}

/** Fetches the engine, which is larger than the page: only for a form that calculates. */
export async function loadFormCalculations(): Promise<(form: CalculatedForm) => FormCalculations> {
  const expressions = await loadExpressions();
  return (form) => createFormCalculations(form, expressions);
}

function createFormCalculations(
  { questionnaire, today, timeZone, launch }: CalculatedForm,
  expressions: Expressions,
): FormCalculations {
  const { settle } = createCalculator(questionnaire, expressions, { today, timeZone, launch }, () => undefined);
  return {
    settle,
    begin(start) {
      const answers = startExpressions(questionnaire, start, expressions, { today, timeZone, launch });
      if (!launch) return { answers, prefilled: {} };
      const withoutVisit = startExpressions(questionnaire, start, expressions, { today, timeZone });
      return { answers, prefilled: changedBy(withoutVisit, answers) };
    },
  };
}

/** The answers of `after` that are not the same in `before`. */
function changedBy(before: Answers, after: Answers): Answers {
  const isChanged = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => isChanged(key)));
}
