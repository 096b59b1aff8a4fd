import type { Setting } from '#questionnaire/evaluation.ts';
import { askedAnswers } from '#questionnaire/visible-items.ts';
import { formOf } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { saidIn, type Answers, type Value } from '#questionnaire/values.ts';

/** What one family member's answers say for the whole household (address, insurance): to be offered in the next one's form. */
export function householdAnswers(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Answers {
  const keys = keysOfHousehold(questionnaire);
  const asked = Object.entries(askedAnswers(questionnaire, answers, setting));
  return Object.fromEntries(asked.filter(([key]) => keys(key)));
}

/** A form with the household's answers where nothing is answered yet. */
export function withHousehold(questionnaire: Questionnaire, answers: Answers, household: Answers): Answers {
  const keys = keysOfHousehold(questionnaire);
  const filled: Record<string, readonly Value[]> = { ...answers };
  for (const [key, values] of Object.entries(household))
    if (keys(key) && saidIn(answers[key]).length === 0) filled[key] = values;
  return filled;
}

function keysOfHousehold(questionnaire: Questionnaire): (key: string) => boolean {
  const names = formOf(questionnaire)
    .all.filter(({ household }) => household)
    .map(({ linkId }) => linkId.replaceAll('#', '##'));
  const known = new Set(names);
  return (key) => known.has(key.replace(/(?<!#)((?:##)*)#[\d.]+$/, '$1'));
}
