import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { keyOf, keyWithoutPlace } from '#questionnaire/positions.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { formOf } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { filledValues, type Answers, type Value } from '#questionnaire/values.ts';

/** The answers that hold for the whole household (address, insurance), to prefill the next family member's form. */
export function householdAnswers(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): Answers {
  const keys = keysOfHousehold(questionnaire);
  const entries = Object.entries(enabledAnswers(questionnaire, answers, setting));
  return Object.fromEntries(entries.filter(([key]) => keys(key)));
}

/** Answers with the household's answers added where there are none yet. */
export function withHousehold(questionnaire: Questionnaire, answers: Answers, household: Answers): Answers {
  const keys = keysOfHousehold(questionnaire);
  const filled: Record<string, readonly Value[]> = { ...answers };
  for (const [key, values] of Object.entries(household))
    if (keys(key) && filledValues(answers[key]).length === 0) filled[key] = values;
  return filled;
}

function keysOfHousehold(questionnaire: Questionnaire): (key: string) => boolean {
  const { all } = formOf(questionnaire);
  const known = new Set(all.filter(({ household }) => household).map((item) => keyOf(item, [])));
  return (key) => known.has(keyWithoutPlace(key));
}
